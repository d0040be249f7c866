// The items of a store, which are cached for some seconds, compared with a bare Express handler that sends
// the same bytes.
import type pg from 'pg';
import { withFleet } from './support/fleet.ts';
import { compareWithBytes } from './support/same-bytes.ts';

await withFleet(async ({ url, client }) => {
  for (const items of [20, 200]) {
    const subdomain = await openStore(client, items);
    await compareWithBytes(url, `/api/public-store/${subdomain}/items`);
  }
});

/** Opens the store of a license without one, with that many items, and returns its subdomain. */
async function openStore(client: pg.Client, items: number): Promise<string> {
  const { rows } = await client.query<{ id: string; subdomain: string }>(
    'select id, subdomain from license where id not in (select license_id from store_config) limit 1',
  );
  const [{ id, subdomain } = { id: '', subdomain: '' }] = rows;
  await client.query(
    `insert into subscription (license_id, kind, reference, provider, status, amount, currency, period, confirmed_at)
     values ($1, 'webstore', 'webstore', 'sandbox', 'active', 9.99, 'USD', 'month', now())`,
    [id],
  );
  await client.query(
    `insert into store_config (license_id, name, currency, theme, provider, is_enabled)
     values ($1, 'Bench', 'USD', '{"accent":"#d9481f","background":"#101418","text":"#f5f7fa"}', 'sandbox', true)`,
    [id],
  );
  await client.query(
    `insert into store_item (license_id, name, description, image_url, position, price_minor, currency, is_enabled,
       delivery_commands, revoke_commands, needs_online_player, repeats_after_wipe, delivery_days)
     select $1, 'Item ' || n, repeat('What it is. ', 20), 'https://images.example.com/' || n || '.png', n, 999, 'USD', true,
       '["give {steam_id}"]', '[]', false, false, 30
     from generate_series(1, $2::int) n`,
    [id, items],
  );
  return subdomain;
}

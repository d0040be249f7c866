// (g) The public status, which is cached for some seconds, compared with a bare Express handler that sends
// the same bytes.
import { withFleet } from './support/fleet.ts';
import { compareWithBytes } from './support/same-bytes.ts';

await withFleet(async ({ url, client }) => {
  // Each of the 21 licenses publishes its 200 servers.
  await client.query(
    'insert into site_config (license_id, is_public, is_listed_by_default) select id, true, true from license',
  );
  for (const limit of [25, 100]) await compareWithBytes(url, `/api/public/status?limit=${limit}`);
});

// The event log numbers the events of each license in the order of the commits, without gaps, and never changes.
import pg from 'pg';
import { createPartitions } from '../../src/database/migrate.ts';
import { recordEvent } from '../../src/events/record.ts';
import type { Position } from '../../src/events/cursor.ts';
import { positionOfRow } from '../../src/services/events/index.ts';
import { nextEvents, type NextEvents } from '../../src/services/events/next-events.ts';
import { clearNews, licensesWithNews, type News } from '../../src/services/events/relay.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;
beforeAll(async () => {
  fleet = await openFleetDatabase();
});
afterAll(() => fleet.close());

const draft = `insert into event_draft (license_id, type, subject_type, subject_id, data)
  values ($1, 'cluster.created', 'cluster', $2, '{"name":"n"}')`;

async function createLicenses(count: number): Promise<string[]> {
  const rows = await fleet.database.query<{ id: string }>(
    `insert into license (key, name, subdomain, companion_token_hash)
     select id, id, id, id from (select gen_random_uuid()::text as id from generate_series(1, $1::int)) as made
     returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Runs `work` with connections of its own, which end afterwards. */
async function withClients(count: number, work: (client: pg.Client, nth: number) => Promise<void>) {
  await Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const client = new pg.Client({ connectionString: fleet.database.url });
      await client.connect();
      try {
        await work(client, nth);
      } finally {
        await client.end();
      }
    }),
  );
}

const seqsOf = async (licenseId: string) =>
  (
    await fleet.database.query<{ seq: string }>(
      'select seq from event_log where license_id = $1 order by recorded_at, seq',
      [licenseId],
    )
  ).map(({ seq }) => Number(seq));

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('a reader who continues after the last event that it has seen misses none, however commits overlap', async () => {
  const [licenseId = ''] = await createLicenses(1);
  const writers = 12;
  const each = 40;
  const seen: number[] = [];
  let isOver = false;
  const reading = withClients(1, async (client) => {
    const next = async () => {
      const { rows } = await client.query<{ seq: string }>(
        'select seq from event_log where license_id = $1 and seq > $2 order by seq',
        [licenseId, seen.at(-1) ?? 0],
      );
      seen.push(...rows.map(({ seq }) => Number(seq)));
    };
    while (!isOver) await next();
    await next();
  });
  await withClients(writers, async (client, nth) => {
    for (let count = 0; count < each; count += 1) {
      await client.query('begin');
      await client.query(draft, [licenseId, `${nth} ${count}`]);
      // Later drafts often commit earlier.
      await client.query('select pg_sleep($1)', [((nth * 7 + count * 13) % 5) / 1_000]);
      await client.query('commit');
    }
  });
  isOver = true;
  await reading;
  // Everything since the license was created, in the order of its numbers.
  expect(seen).toEqual(upTo(writers * each + 1));
  expect(await seqsOf(licenseId)).toEqual(seen);
  expect(await fleet.database.query('select from event_draft')).toEqual([]);
});

it('transactions of several licenses neither deadlock nor leave gaps', async () => {
  const licenses = await createLicenses(6);
  await withClients(8, async (client, nth) => {
    for (let count = 0; count < 30; count += 1) {
      await client.query('begin');
      for (let step = 0; step < 3; step += 1)
        await client.query(draft, [licenses[(nth * 5 + count * 3 + step * (nth + 1)) % 6], `${nth}`]);
      await client.query('commit');
    }
  });
  let total = 0;
  for (const licenseId of licenses) {
    const seqs = await seqsOf(licenseId);
    expect(seqs).toEqual(upTo(seqs.length));
    total += seqs.length - 1;
  }
  expect(total).toBe(8 * 30 * 3);
});

it('an open transaction with events delays no other one of its license', async () => {
  const [licenseId = ''] = await createLicenses(1);
  await fleet.database.whileHeld(draft, [licenseId, 'open'], async () => {
    await fleet.database.query(draft, [licenseId, 'other']);
  });
  const rows = await fleet.database.query<{ subject_id: string }>(
    `select subject_id from event_log where license_id = $1 and type = 'cluster.created' order by seq`,
    [licenseId],
  );
  expect(rows.map(({ subject_id }) => subject_id)[0]).toBe('other');
});

it('the drafts of a large transaction are found by an index, also by plans that were made for an empty table', async () => {
  const [licenseId] = await createLicenses(1);
  await withClients(1, async (client) => {
    const rowsScanned = async () => {
      await client.query('select pg_stat_force_next_flush()');
      const { rows } = await client.query<{ count: number }>(
        `select seq_tup_read::int as count from pg_stat_user_tables where relname = 'event_draft'`,
      );
      return rows[0]?.count ?? 0;
    };
    const record = (count: number) =>
      client.query(
        `insert into event_draft (license_id, type, subject_type, subject_id, data)
         select $1, 'cluster.created', 'cluster', n, '{"name":"n"}' from generate_series(1, $2::int) as n`,
        [licenseId, count],
      );
    await client.query('vacuum event_draft');
    // From its sixth run on, a session plans a statement once for all.
    for (let count = 0; count < 10; count += 1) await record(1);
    const before = await rowsScanned();
    await record(2_000);
    expect((await rowsScanned()) - before).toBe(0);
  });
});

it('a change that is rolled back, as a whole or to a savepoint, leaves no event', async () => {
  const [licenseId = ''] = await createLicenses(1);
  await withClients(1, async (client) => {
    await client.query('begin');
    await client.query(draft, [licenseId, 'rolled back']);
    await client.query('rollback');
    await client.query('begin');
    await client.query('savepoint part');
    await client.query(draft, [licenseId, 'part']);
    await client.query('rollback to part');
    await client.query(draft, [licenseId, 'kept']);
    await client.query('commit');
  });
  const rows = await fleet.database.query<{ subject_id: string }>(
    `select subject_id from event_log where license_id = $1 and type = 'cluster.created'`,
    [licenseId],
  );
  expect(rows).toEqual([{ subject_id: 'kept' }]);
});

it('services record within their license, with the actor, and cannot write the log itself', async () => {
  await fleet.inLicense((ctx) =>
    ctx.transact((em) => recordEvent(em, 'cluster.deleted', { subject: 'a', data: { name: 'A' } })),
  );
  const [event] = await fleet.database.query(
    `select type, subject_type, actor_kind, actor_label, data from event_log where license_id = $1 order by seq desc limit 1`,
    [fleet.licenseId],
  );
  expect(event).toEqual({
    type: 'cluster.deleted',
    subject_type: 'cluster',
    actor_kind: 'job',
    actor_label: 'test',
    data: { name: 'A' },
  });
  const [foreign = ''] = await createLicenses(1);
  for (const statement of [
    `update event_log set type = 'x'`,
    'delete from event_log',
    `insert into event_log select * from event_log`,
    `update event_sequence set last_seq = 0`,
    `insert into event_draft (license_id, type, subject_type, subject_id, data) values ('${foreign}', 'x', 'x', 'x', '{}')`,
  ])
    await expect(fleet.inLicense((ctx) => ctx.transact((em) => em.execute(statement)))).rejects.toThrow(
      /permission denied|row-level security/,
    );
});

it('the events of a license go with it', async () => {
  const [licenseId = ''] = await createLicenses(1);
  await fleet.database.query(draft, [licenseId, 'a']);
  await fleet.database.query('delete from license where id = $1', [licenseId]);
  for (const table of ['event_log', 'event_sequence', 'event_draft'])
    expect(await fleet.database.query(`select from ${table} where license_id = $1`, [licenseId])).toEqual([]);
});

it('what a former program records reaches the log under the current names', async () => {
  const [licenseId = ''] = await createLicenses(1);
  const record = (kind: string, data: object) =>
    fleet.database.query(
      `insert into domain_event (license_id, kind, subject_id, data) values ($1, $2, gen_random_uuid(), $3)
       on conflict (license_id, kind, subject_id) do nothing returning *`,
      [licenseId, kind, data],
    );
  const host = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a05';
  const outage = { host_id: host, hostname: 'h', instances: [{ id: host, name: 'main' }] };
  // The former program makes no deliveries for rows that it does not get back.
  expect(await record('server_down', { ...outage, reason: 'instance_crashed' })).toEqual([]);
  await record('server_down', { ...outage, reason: 'host_silent' });
  await record('player_banned', { instance_id: host, steam_id: '7', reason: null });
  await record('wipe_completed', { instance_id: host, wipe_id: host });
  const rows = await fleet.database.query<{ type: string; subject_id: string }>(
    'select type from event_log where license_id = $1 order by seq offset 1',
    [licenseId],
  );
  expect(rows.map(({ type }) => type)).toEqual([
    'instance.crashed',
    'host.offline',
    'player.banned',
    'wipe.completed',
  ]);
  const [webhook] = await fleet.database.query(
    `insert into webhook (license_id, name, url, events, secret) values ($1, 'a', 'https://a.example', '{server_down}', '')
     returning events, from_seq::int`,
    [licenseId],
  );
  expect(webhook).toEqual({ events: ['host.offline', 'instance.crashed'], from_seq: 5 });
});

it('days are there two weeks ahead, and dropped after 90', async () => {
  await fleet.database.query(createPartitions);
  await fleet.database.query(`select create_day_partitions('event_log', current_date - 92, 3)`);
  const oldest = () =>
    fleet.database.query<{ age: number; ahead: number }>(
      `select current_date - min(day) as age, max(day) - current_date as ahead from (
         select to_date(right(relname, 10), 'YYYY_MM_DD') as day from pg_inherits join pg_class on pg_class.oid = inhrelid
         where inhparent = 'event_log'::regclass) as partition`,
    );
  expect(await oldest()).toEqual([{ age: 92, ahead: 14 }]);
  await fleet.database.query(`select drop_day_partitions('event_log', 90)`);
  expect(await oldest()).toEqual([{ age: 90, ahead: 14 }]);
});

describe('the mark of licenses with news for their webhooks', () => {
  const newWebhook = `insert into webhook (license_id, name, url, events, secret) values ($1, 'a', 'https://a.example', '{*}', '')`;
  const setStatus = (licenseId: string, status: string) =>
    fleet.database.query('update license set status = $2 where id = $1', [licenseId, status]);
  const newsOf = async (licenseId: string) =>
    (await fleet.platform.read('jobs', licensesWithNews)).find((each) => each.licenseId === licenseId);
  const relayed = (licenseId: string, seq: number) =>
    fleet.database.query('update event_relay set seq = $2 where license_id = $1', [licenseId, seq]);
  const clear = (news: News | undefined) =>
    fleet.platform.transact('jobs', async (em) => news && clearNews(em, news));

  it('is set by events of licenses with webhooks, and removed once they are relayed', async () => {
    const [one = '', two = ''] = await createLicenses(2);
    await fleet.database.query(newWebhook, [one]);
    for (const licenseId of [one, two]) await fleet.database.query(draft, [licenseId, 'a']);
    const news = await newsOf(one);
    expect(news).toEqual({ licenseId: one, seq: expect.any(Number), isActive: true });
    expect(await newsOf(two)).toBeUndefined();
    await clear(news);
    expect(await newsOf(one)).toEqual(news);
    await relayed(one, news?.seq ?? 0);
    await fleet.database.query(draft, [one, 'a']);
    await clear(news);
    const later = await newsOf(one);
    expect(later?.seq).toBe((news?.seq ?? 0) + 1);
    await relayed(one, later?.seq ?? 0);
    await clear(later);
    expect(await newsOf(one)).toBeUndefined();
  });

  it('is removed while a license is revoked, and set when it is active again', async () => {
    const [licenseId = ''] = await createLicenses(1);
    await fleet.database.query(newWebhook, [licenseId]);
    const former = await newsOf(licenseId);
    await setStatus(licenseId, 'revoked');
    const news = await newsOf(licenseId);
    expect(news).toMatchObject({ isActive: false });
    await clear(former);
    await clear(news);
    expect(await newsOf(licenseId)).toBeUndefined();
    await setStatus(licenseId, 'active');
    expect(await newsOf(licenseId)).toMatchObject({ isActive: true });
  });

  it('is set although the first webhook is created while events are committed', async () => {
    const [licenseId = ''] = await createLicenses(1);
    await fleet.database.query(draft, [licenseId, 'a']);
    await Promise.all([
      ...Array.from({ length: 20 }, () => fleet.database.query(draft, [licenseId, 'a'])),
      fleet.database.query(newWebhook, [licenseId]),
      ...Array.from({ length: 20 }, () => fleet.database.query(draft, [licenseId, 'a'])),
    ]);
    expect(await newsOf(licenseId)).toMatchObject({ isActive: true });
  });
});

it('a reader gets a bounded amount at once, and learns that there is more', async () => {
  const [licenseId = ''] = await createLicenses(1);
  await fleet.database.query(
    `insert into event_draft (license_id, type, subject_type, subject_id, data)
     select $1, 'x', 'x', 'x', jsonb_build_object('text', repeat(md5(number::text), 2000))
     from generate_series(1, 40) as number`,
    [licenseId],
  );
  const read = async (start: Position) => {
    const next = await fleet.platform.read('jobs', (queries) =>
      nextEvents(queries, licenseId, { types: null }, start),
    );
    if (next === undefined) throw new Error('the log has the position');
    return next;
  };
  const pages: NextEvents[] = [];
  let position: Position = { seq: 0, at: Date.now(), check: '00000000' };
  do {
    const page = await read(position);
    pages.push(page);
    const last = page.events.at(-1);
    if (last !== undefined) position = positionOfRow(last);
  } while (pages.at(-1)?.hasMore === true);
  // The first event is that of the license.
  expect(pages.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 41 }, (_, index) => index + 1),
  );
  expect(pages.length).toBeGreaterThan(1);
  for (const { events } of pages)
    expect(events.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(1_048_576 + 65_536);
});

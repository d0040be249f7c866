// Heartbeats update the rows of hosts, instances and connections in place, without writing their indexes.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const hostCount = 50;
const rounds = 20;

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    poolSize: 2,
    log: pino({ level: 'silent' }),
  });
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function createHosts(): Promise<string[]> {
  const hosts = await database.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash) values ('l', 'l', 'l', 'l') returning id
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select id, 'host ' || n, 't', 't', gen_random_uuid() from license, generate_series(1, $1) as n returning id`,
    [hostCount],
  );
  return hosts.map(({ id }) => id);
}

/** Versions of rows stay as long as any session of the database may still see them, an autovacuum's too. */
async function stopAutovacuum(): Promise<void> {
  for (const table of ['agent_host', 'game_instance', 'server_connection'])
    await database.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await until(async () => {
    const workers = await database.query(
      `select from pg_stat_activity where backend_type = 'autovacuum worker' and datname = current_database()`,
    );
    return workers.length === 0;
  });
}

it('update nearly every row in place', async () => {
  await stopAutovacuum();
  const hostIds = await createHosts();
  const boot = randomUUID();
  const maps = new PlayedMaps();
  const beat = (seq: number) =>
    storeHeartbeats(
      connection.pool,
      hostIds.map((hostId) => ({
        hostId,
        receivedAt: new Date(),
        beat: {
          v: 1,
          sent_at: new Date().toISOString(),
          boot,
          seq,
          agent_version: '1',
          host: {
            cpu_percent: seq,
            memory_used_bytes: 1,
            memory_total_bytes: 2,
            disk_used_bytes: 1,
            disk_total_bytes: 2,
          },
          instances: [{ name: 'main', state: 'running', uptime_seconds: seq * 10, players: seq }],
        },
      })),
      maps,
    );
  const written = async () => {
    await database.query('select pg_stat_force_next_flush()');
    const rows = await database.query<{ relname: string; updated: number; in_place: number; moved: number }>(
      `select relname, n_tup_upd::int as updated, n_tup_hot_upd::int as in_place,
         n_tup_newpage_upd::int as moved from pg_stat_user_tables
       where relname in ('agent_host', 'game_instance', 'server_connection') order by 1`,
    );
    return rows;
  };
  for (let seq = 1; seq <= rounds; seq += 1) expect(await beat(seq)).toBe(hostCount);
  // Sessions report their counts when they end.
  await connection.pool.end();
  await until(async () => (await written()).every(({ updated }) => updated >= hostCount * (rounds - 1)));
  // A row moves to another page where old versions fill its page, because some session may still see them.
  for (const { relname, updated, in_place: inPlace, moved } of await written())
    expect({
      relname,
      isInPlace: inPlace >= (updated - moved) * 0.9,
      isMeasured: inPlace > hostCount,
    }).toEqual({ relname, isInPlace: true, isMeasured: true });
});

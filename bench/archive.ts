// The archive of closed months: sessions written from PostgreSQL, and questions asked of many more of them.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { pino } from 'pino';
import { listMonths, queryArchive, type ArchivedMonthRow } from '../src/archive/archive-query.ts';
import { openDuckdb, parquetFormat, quoted } from '../src/archive/duckdb.ts';
import { MonthArchive } from '../src/archive/month-archive.ts';
import { openCopyClient } from '../src/archive/month-rows.ts';
import { connectDatabase } from '../src/database/connection.ts';
import { migrate } from '../src/database/migrate.ts';
import { PlatformScope } from '../src/database/platform-scope.ts';
import { Reader } from '../src/database/reader.ts';
import { TenantScope } from '../src/database/tenant-scope.ts';
import { Transactions } from '../src/database/transactions.ts';
import { LocalStorage } from '../src/storage/local-storage.ts';
import { openEnvironment } from './support/environment.ts';
import { refuseMissed } from './support/figures.ts';
import { PeakMemory } from './support/peak-memory.ts';

/** Sessions that go through PostgreSQL, and those that DuckDB makes itself. */
const [stored = 1_000_000, synthetic = 100_000_000] = process.argv.slice(2).map(Number);
const maxGigabytes = 10;
const storedMonths = 3;
const syntheticMonths = 24;
const servers = 200;
const memoryMb = 1_024;

/** In SQL of DuckDB, and of PostgreSQL where `player` is the Steam ID. */
const questions = {
  'sessions and players of each month': {
    duckdb: `select strftime(started_at, '%Y-%m') as month, count(*), count(distinct player) from sessions
      group by 1 order by 1`,
    postgres: `select to_char(started_at at time zone 'UTC', 'YYYY-MM'), count(*)::integer, count(distinct steam_id)::integer
      from player_session group by 1 order by 1`,
  },
  'hours played on each server, the ten with most': {
    duckdb: `select instance_id::varchar, sum(epoch_ms(ended_at) - epoch_ms(started_at))::bigint as ms from sessions
      group by 1 order by 2 desc, 1 limit 10`,
    postgres: `select instance_id::text, sum((extract(epoch from ended_at) - extract(epoch from started_at)) * 1000)::float8
      from player_session group by 1 order by 2 desc, 1 limit 10`,
  },
  'players of each month who came back in the next': {
    duckdb: `with played as (select distinct player, date_diff('month', date '2000-01-01', started_at::date) as month from sessions)
      select month, count(*) from played semi join (select player, month - 1 as month from played) as next
        using (player, month) group by 1 order by 1`,
    postgres: `with played as (
        select distinct steam_id, (extract(year from started_at at time zone 'UTC') - 2000) * 12
          + extract(month from started_at at time zone 'UTC') - 1 as month from player_session
      ) select month::integer, count(*)::integer from played where exists (
        select from played as next where next.steam_id = played.steam_id and next.month = played.month + 1
      ) group by 1 order by 1`,
  },
};

const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-archive-'));
try {
  await measureWriting();
  await measureQuestions();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The first day of the month that began so many months ago. */
function monthStart(ago: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
}

async function measureWriting(): Promise<void> {
  const environment = await openEnvironment();
  const { databaseUrl } = environment;
  const log = pino({ level: 'error' });
  await migrate({ url: databaseUrl }, log);
  const connection = await connectDatabase({ url: databaseUrl, poolSize: 4, log });
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c timezone=UTC' });
  await client.connect();
  const copies = await openCopyClient({ url: databaseUrl });
  try {
    const licenseId = await storeSessions(client);
    const storage = new LocalStorage(join(folder, 'storage'));
    const transactions = new Transactions(connection.orm, log);
    const reader = new Reader(connection.pool);
    const archive = new MonthArchive({
      settings: { months: 24, directory: join(folder, 'written') },
      database: { url: databaseUrl },
      platform: new PlatformScope(transactions, reader),
      tenant: new TenantScope(transactions, reader),
      storage,
      progressed: () => undefined,
      counted: () => undefined,
      waiting: () => undefined,
      log,
    });
    const memory = new PeakMemory('parquet-program');
    const began = performance.now();
    await archive.run();
    const seconds = (performance.now() - began) / 1_000;
    const { ownMb, childMb } = memory.end();
    const months = await listMonths(copies, licenseId, {});
    const rows = months.reduce((sum, { row_count: count }) => sum + count, 0);
    const bytes = months.reduce((sum, month) => sum + month.bytes, 0);
    const { rows: sizes } = await client.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
       where inhparent = 'player_session'::regclass`,
    );
    console.log(
      `\n${rows.toLocaleString('en')} sessions of ${months.length} months, from PostgreSQL to the storage`,
    );
    console.log(
      `  ${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en')} sessions/s, verified`,
    );
    console.log(
      `  ${(bytes / rows).toFixed(1)} bytes a session; ${((sizes[0]?.bytes ?? 0) / rows).toFixed(0)} in PostgreSQL`,
    );
    console.log(
      `  memory: ${ownMb.toFixed(0)} MB more in this process, ${childMb.toFixed(0)} MB in the writer's`,
    );
    refuseMissed(rows !== stored || ownMb > 100);
    for (const [name, { duckdb, postgres }] of Object.entries(questions)) {
      const directory = await mkdtemp(join(folder, 'query-'));
      const asked = performance.now();
      const ours = await queryArchive(
        { client: copies, storage, licenseId, months, directory, memoryMb },
        duckdb,
        (result) => Array.fromAsync(result.rows),
      );
      const middle = performance.now();
      const { rows: theirs } = await client.query<unknown[]>({ text: postgres, rowMode: 'array' });
      const done = performance.now();
      await rm(directory, { recursive: true });
      if (JSON.stringify(ours) !== JSON.stringify(theirs))
        throw new Error(`${name}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
      console.log(
        `  ${name.padEnd(48)} ${(middle - asked).toFixed(0)} ms, files fetched; ${(done - middle).toFixed(0)} ms in PostgreSQL; equal`,
      );
    }
  } finally {
    await copies.end();
    await client.end();
    await connection.close();
    await environment.stop();
  }
}

/** Without analytics, which bench/analytics.ts measures. */
async function storeSessions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into license (name, owner_email, key, subdomain, companion_token_hash)
     values ('bench', 'bench@example.com', 'k', 'bench', 'h')
     returning id`,
  );
  const licenseId = rows[0]?.id ?? '';
  await client.query(`select create_month_partitions('player_session', $1, 12)`, [monthStart(6)]);
  await client.query('alter table player_session disable trigger user');
  await client.query(
    `insert into player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)
     select $1, md5((n % ${servers})::text)::uuid, 76561197960300000 + (random() ^ 2 * $2::integer / 20)::bigint + n % 7,
       started_at, started_at + length, started_at + length, true, 'leave'
     from generate_series(1, $2::integer) as n
     cross join lateral (select date_trunc('milliseconds', $3::timestamptz + (n - 1) / $2::float8 * ($4::timestamptz - $3::timestamptz)) as started_at,
       date_trunc('milliseconds', -ln(1 - random()) * interval '45 minutes') as length) as session`,
    [licenseId, stored, monthStart(2 + storedMonths), monthStart(2)],
  );
  await client.query(
    `insert into player (license_id, steam_id, name, first_seen_at, last_seen_at)
     select license_id, steam_id, 'a player', min(started_at), max(started_at) from player_session group by 1, 2`,
  );
  await client.query('analyze');
  return licenseId;
}

async function measureQuestions(): Promise<void> {
  const licenseId = randomUUID();
  const began = performance.now();
  const months = await makeMonths(join(folder, 'storage', 'archive', licenseId));
  const bytes = months.reduce((sum, month) => sum + month.bytes, 0);
  console.log(
    `\n${synthetic.toLocaleString('en')} sessions of ${servers} servers in ${syntheticMonths} months, made by DuckDB in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  console.log(`  ${(bytes / 1e9).toFixed(2)} GB, ${(bytes / synthetic).toFixed(1)} bytes a session`);
  refuseMissed(bytes > maxGigabytes * 1e9);
  const { connection, close } = await openDuckdb({ memoryMb, directory: join(folder, 'overflow') });
  try {
    const files = months.map(({ file_id: id }) => quoted(join(folder, 'storage', 'archive', licenseId, id)));
    await connection.run(`create view sessions as select * from read_parquet([${files.join(', ')}])`);
    for (const [name, { duckdb }] of Object.entries(questions)) {
      const asked = performance.now();
      const rows = (await connection.runAndReadAll(duckdb)).getRowsJson();
      console.log(
        `  ${name.padEnd(48)} ${((performance.now() - asked) / 1_000).toFixed(1)} s, ${rows.length} rows`,
      );
      if (name.startsWith('sessions and'))
        refuseMissed(rows.reduce((sum, row) => sum + Number(row[1]), 0) !== synthetic);
    }
  } finally {
    close();
  }
  const storage = new LocalStorage(join(folder, 'storage'));
  const directory = await mkdtemp(join(folder, 'query-'));
  const asked = performance.now();
  const parts = { client: new pg.Client(), storage, licenseId, months, directory, memoryMb };
  await queryArchive(parts, 'select count(*) from sessions', (result) => Array.fromAsync(result.rows));
  console.log(
    `  all files fetched and verified, as a query does   ${((performance.now() - asked) / 1_000).toFixed(1)} s`,
  );
}

/** Files as the archive has them: ordered by server and time, in the same format. */
async function makeMonths(target: string): Promise<ArchivedMonthRow[]> {
  await mkdir(target, { recursive: true });
  const months: ArchivedMonthRow[] = [];
  const each = Math.floor(synthetic / syntheticMonths);
  for (let index = 0; index < syntheticMonths; index += 1) {
    const count = index === 0 ? synthetic - each * (syntheticMonths - 1) : each;
    const first = monthStart(syntheticMonths + 2 - index)
      .toISOString()
      .slice(0, 10);
    const draft = join(folder, 'draft.parquet');
    const { connection, close } = await openDuckdb({ memoryMb, directory: join(folder, 'overflow') });
    try {
      await connection.run(
        `copy (
           select instance_id, player, started_at, started_at + length as ended_at, started_at + length as last_sign_at,
             true as has_join, 'leave' as end_reason
           from (
             select md5((n * ${servers} // ${count})::varchar)::uuid as instance_id,
               ${index * 20_000} + (random() ^ 2 * 2000000)::bigint as player,
               timestamp '${first}' + to_milliseconds((n % (${count} // ${servers} + 1) * 28 * 86400000 // (${count} // ${servers} + 1))::bigint) as started_at,
               to_milliseconds((-ln(1 - random()) * 2700000)::bigint) as length
             from range(${count}) as generated(n)
           )
         ) to ${quoted(draft)} ${parquetFormat}`,
      );
    } finally {
      close();
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(draft), hash);
    const file_id = randomUUID();
    const { size } = await stat(draft);
    await rename(draft, join(target, file_id));
    months.push({
      source: 'sessions',
      month: first,
      file_id,
      row_count: count,
      bytes: size,
      sha256: hash.digest('hex'),
    });
    await refuseLargeFolder();
  }
  return months;
}

async function refuseLargeFolder(): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const file of files.filter((entry) => entry.isFile()))
    bytes += (await stat(join(file.parentPath, file.name))).size;
  if (bytes > maxGigabytes * 1e9) throw new Error(`the files take ${(bytes / 1e9).toFixed(1)} GB`);
}

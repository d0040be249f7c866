// Examines the database: reachability, version, clock, migrations, dead jobs, and secrets that cannot be decrypted.
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { createClient } from '../database/client.ts';
import { oldestServer } from '../database/migrate.ts';
import { migrations, presentNames } from '../database/migrations/index.ts';
import { obtainJwtSecret } from '../embedded/infrastructure.ts';
import { passwordsName } from '../embedded/postgres-home.ts';
import { openPostgres } from '../embedded/running-postgres.ts';
import { exists } from '../process/files.ts';
import { join } from 'node:path';
import { examineArchive } from './archive.ts';
import { ok, problem, warning, type Finding } from './finding.ts';
import { examineSecrets } from './secrets.ts';
import { examineStorage } from './storage.ts';

const maxClockSeconds = 2;

export async function examineDatabase(config: Config, log: Logger): Promise<Finding[]> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded && !(await exists(join(config.dataDir, passwordsName))))
    return [ok('database', 'There is none yet; the first start creates the embedded one')];
  const setting = isEmbedded ? 'GANTRY_DATA_DIR' : 'DATABASE_URL';
  try {
    const database = await openPostgres(config, log);
    try {
      return await examineServer(database.url, config);
    } finally {
      await database.close();
    }
  } catch (error) {
    const reason = Error.isError(error) ? error.message : 'the connection failed';
    return [problem('database', reason, `Start PostgreSQL, or correct ${setting}`)];
  }
}

async function examineServer(url: string, config: Config): Promise<Finding[]> {
  const client = createClient({ url });
  await client.connect();
  try {
    const select = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
    const findings = [await examineVersion(client), await examineClock(client)];
    const migrated = await examineMigrations(client);
    findings.push(migrated);
    if (migrated.level !== 'ok') return findings;
    findings.push(...(await examineHostClocks(client)), await examineJobs(client));
    const secret = config.encryptionSecret ?? (await obtainJwtSecret(config));
    findings.push(...(await examineSecrets(select, secret)), await examineStorage(client, config));
    return [...findings, ...(await examineArchive(client, config))];
  } finally {
    await client.end();
  }
}

async function examineVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const version = rows[0]?.version ?? '';
  return Number.parseInt(version, 10) < oldestServer
    ? problem('PostgreSQL', version, `Upgrade the server to PostgreSQL ${oldestServer} or newer`)
    : ok('PostgreSQL', version);
}

async function examineClock(client: pg.Client): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await client.query<{ ms: string }>(
    'select extract(epoch from clock_timestamp()) * 1000 as ms',
  );
  const difference = (Number(rows[0]?.ms) - (asked + Date.now()) / 2) / 1000;
  const detail = `The clock of PostgreSQL differs by ${Math.abs(difference).toFixed(1)} seconds`;
  return Math.abs(difference) > maxClockSeconds
    ? problem('clock', detail, 'Synchronize the clocks of both machines, for example with chrony')
    : ok('clock', detail);
}

async function examineMigrations(client: pg.Client): Promise<Finding> {
  const check = 'migrations';
  const { rows: tables } = await client.query<{ is_known: boolean }>(
    `select to_regclass('public.migration') is not null as is_known`,
  );
  if (tables[0]?.is_known !== true)
    return warning(check, 'The database is empty', 'Run "gantry migrate", or start the platform');
  const { rows } = await client.query<{ name: string }>('select name from public.migration');
  const applied = presentNames(rows.map(({ name }) => name));
  const known = migrations.map(({ name }) => name);
  const newer = applied.find((name) => !known.includes(name));
  if (newer !== undefined)
    return problem(
      check,
      `A newer program has migrated the database (${newer})`,
      'Start the newer program, or restore a backup from before its first start',
    );
  const pending = known.filter((name) => !applied.includes(name));
  return pending.length === 0
    ? ok(check, `All ${known.length} are applied`)
    : warning(check, `${pending.length} are not applied yet`, 'Back up, and run "gantry migrate"');
}

/** The offsets that agents have reported. */
async function examineHostClocks(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ hostname: string; seconds: number }>(
    `select hostname, clock_offset_ms / 1000.0 as seconds from agent_host
     where abs(clock_offset_ms) > $1 and status = 'online' order by abs(clock_offset_ms) desc limit 10`,
    [maxClockSeconds * 1000],
  );
  return rows.map(({ hostname, seconds }) =>
    warning(
      `clock of ${hostname}`,
      `The host's clock differs by ${Number(seconds).toFixed(1)} seconds`,
      'Synchronize the clock of that host',
    ),
  );
}

async function examineJobs(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from graphile_worker.jobs
     where attempts >= max_attempts and locked_at is null`,
  );
  const count = rows[0]?.count ?? 0;
  return count === 0
    ? ok('jobs', 'No job has used up its retries')
    : warning('jobs', `${count} jobs have used up their retries`, 'List them with GET /api/admin/jobs');
}

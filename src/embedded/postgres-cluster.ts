// Creates the PostgreSQL cluster atomically and once, with the plain role that the platform connects as.
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { exists, randomSuffix, readIfPresent, syncDirectory, writePrivateFile } from '../process/files.ts';
import { asAccount } from './postgres-account.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { databaseMissing, passwordsName, type PostgresHome } from './postgres-home.ts';
import { lastLine, runCommand, type CommandOptions } from './run-command.ts';

export interface PostgresPasswords {
  /** Password of the plain role that owns the database. */
  gantry: string;
  /** Password of the superuser, for an operator; the platform never uses it. */
  postgres: string;
}

/** The environment of PostgreSQL: the platform's own variables, which include secrets, are left out. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const DRAFT_PREFIX = 'postgres.new-';

/** Repeats steps that a crash interrupted: cluster, role, database and passwords exist when it returns. */
export async function prepareCluster(options: {
  dataDir: string;
  home: PostgresHome;
  binaries: PostgresBinaries;
  log: Logger;
}): Promise<PostgresPasswords> {
  const { dataDir, home, binaries, log } = options;
  await removeDrafts(home.path);
  const passwordFile = join(dataDir, passwordsName);
  const kept = parsePasswords(passwordFile, await readIfPresent(passwordFile));
  const passwords = kept ?? { gantry: makePassword(), postgres: makePassword() };

  if (!(await exists(home.cluster))) {
    // The passwords are written after the cluster exists, so their file proves that there was one.
    if (kept !== undefined) throw new ConfigError(databaseMissing(home.cluster, passwordFile));
    log.info({ path: home.cluster }, 'Creating the PostgreSQL cluster');
    await createCluster(home, binaries, passwords);
  } else {
    await assertSameMajor(home.cluster, binaries, kept === undefined ? undefined : passwordFile);
    if (kept === undefined) {
      log.warn('The PostgreSQL passwords were lost; setting new ones');
      await runAsSuperuser(home, binaries, home.cluster, setPasswords(passwords));
    }
  }
  if (kept === undefined) await writePrivateFile(passwordFile, `${JSON.stringify(passwords)}\n`);
  return passwords;
}

async function createCluster(
  home: PostgresHome,
  binaries: PostgresBinaries,
  passwords: PostgresPasswords,
): Promise<void> {
  const draft = join(home.path, `${DRAFT_PREFIX}${randomSuffix()}`);
  const cluster = join(draft, 'cluster');
  const passwordFile = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, `${passwords.postgres}\n`, { mode: 0o600 });
  const { account } = home;
  if (account !== undefined) {
    for (const path of [draft, cluster, passwordFile]) await chown(path, account.uid, account.gid);
  }

  const { code, stderr } = await runCommand(
    binaries.initdb,
    [
      ...['--pgdata', cluster, '--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      // PostgreSQL's built-in provider sorts and folds the same on every machine and needs no installed locale.
      ...[
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
      ],
      '--no-instructions',
    ],
    programOptions(home, draft),
  );
  if (code !== 0) throw new ConfigError(`initdb failed: ${lastLine(stderr)}`);
  await runAsSuperuser(home, binaries, cluster, [
    'create role gantry login createrole createdb;',
    ...setPasswords(passwords),
    'create database gantry owner gantry;',
  ]);
  await rename(cluster, home.cluster);
  await syncDirectory(home.path);
  await rm(draft, { recursive: true, force: true });
}

/** Runs in single-user mode: no other client can connect meanwhile, and no superuser connection is needed. */
async function runAsSuperuser(
  home: PostgresHome,
  binaries: PostgresBinaries,
  cluster: string,
  statements: string[],
): Promise<void> {
  const { code, stderr } = await runCommand(
    binaries.postgres,
    // A failing statement must not be logged: it contains a password.
    [
      '--single',
      '-D',
      cluster,
      '-c',
      'log_min_error_statement=panic',
      '-c',
      'log_checkpoints=off',
      'postgres',
    ],
    { ...programOptions(home, cluster), input: `${statements.join('\n')}\n` },
  );
  const complaint = stderr.split('\n').find((line) => /(ERROR|FATAL|PANIC):/.test(line));
  if (code !== 0 || complaint !== undefined) {
    throw new ConfigError(`The PostgreSQL roles could not be made: ${complaint ?? lastLine(stderr)}`);
  }
}

function setPasswords({ gantry, postgres }: PostgresPasswords): string[] {
  return [
    `alter role gantry with login createrole createdb nosuperuser nobypassrls password '${gantry}';`,
    `alter role postgres with password '${postgres}';`,
  ];
}

function programOptions(home: PostgresHome, cwd: string): CommandOptions {
  const environment = process.platform === 'win32' ? {} : { env: POSTGRES_ENVIRONMENT };
  return { ...asAccount(home.account), ...environment, cwd };
}

async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(home, name), { recursive: true, force: true });
  }
}

/** The passwords file, if present, proves that the directory held a cluster. */
async function assertSameMajor(
  cluster: string,
  { major }: PostgresBinaries,
  passwordFile: string | undefined,
): Promise<void> {
  const version = (await readIfPresent(join(cluster, 'PG_VERSION')))?.trim();
  if (version === undefined)
    throw new ConfigError(
      passwordFile === undefined
        ? `${cluster} is not a PostgreSQL cluster: move it away`
        : databaseMissing(cluster, passwordFile),
    );
  if (Number(version) !== major) {
    throw new ConfigError(
      `The data in ${cluster} belong to PostgreSQL ${version}, this release runs ${major}: ` +
        'back them up with the release that wrote them (gantry backup), and restore them here (gantry restore)',
    );
  }
}

function makePassword(): string {
  return randomBytes(24).toString('hex');
}

/** The passwords of an existing cluster. */
export async function readPasswords(dataDir: string): Promise<PostgresPasswords | undefined> {
  const file = join(dataDir, passwordsName);
  return parsePasswords(file, await readIfPresent(file));
}

function parsePasswords(path: string, text: string | undefined): PostgresPasswords | undefined {
  if (text === undefined) return undefined;
  const { gantry, postgres } = parseObject(text);
  for (const password of [gantry, postgres]) {
    if (typeof password !== 'string' || !/^[0-9a-f]+$/.test(password)) {
      throw new ConfigError(`${path} is damaged: delete it, and new passwords are set at the next start`);
    }
  }
  return { gantry: gantry ?? '', postgres: postgres ?? '' };
}

/** Empty if the text is not a JSON object. */
function parseObject(text: string): Partial<PostgresPasswords> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<PostgresPasswords>;
  } catch {
    return {};
  }
}

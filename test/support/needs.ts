// Suites that need programs besides Node. Without them a suite is left out and named; in CI it may not be left out.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { postgresFolder } from '../../local-manager/stand-ins/needed-programs.ts';

const guest = {
  sshd: 'openssh-server',
  'ssh-keygen': 'openssh-client',
  psql: 'postgresql-client',
  kubectl: 'kubernetes-client',
};

export const newtonsoftJson = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

/** Programs and files with the Debian package of each, by the suites that run them. */
const needs: readonly {
  suites: string;
  programs: Readonly<Record<string, string>>;
  /** It mounts file systems. */
  isForRoot?: true;
}[] = [
  {
    suites:
      'test/local-manager/{advice,automation,backups,cut-off,gate,guide,held-files,hung-host,installation,killed,live-world,memory,monitoring,network,page,page-advice,page-automation,page-executable,page-monitoring,power,recovery,server,sessions,setup,windows}.test.ts',
    programs: guest,
  },
  {
    suites: 'test/game-plugins/*.test.ts',
    programs: {
      mcs: 'mono-mcs',
      mono: 'mono-runtime libmono-system-core4.0-cil',
      [newtonsoftJson]: 'libnewtonsoft-json5.0-cil',
    },
  },
  { suites: 'test/faults/pooler.test.ts', programs: { pgbouncer: 'pgbouncer' } },
  { suites: 'test/local-manager/recovery.test.ts', programs: { openssl: 'openssl' } },
  {
    suites: 'test/local-manager/{backups,demo}.test.ts',
    // Of any version that Debian has; each has a folder of its own.
    programs: { [join(postgresFolder() ?? '', 'initdb')]: 'postgresql' },
  },
  {
    suites: 'test/{agent/{executable,tls-proxy},faults/nats-{cluster,leaf}}.test.ts',
    programs: { openssl: 'openssl' },
  },
  {
    suites: 'test/docs/reverse-proxy.test.ts',
    programs: { openssl: 'openssl', caddy: 'caddy', nginx: 'nginx-light', haproxy: 'haproxy' },
  },
  {
    suites: 'test/agent/install.test.ts',
    programs: {
      openssl: 'openssl',
      curl: 'curl',
      wget: 'wget',
      shellcheck: 'shellcheck',
      'update-ca-certificates': 'ca-certificates',
      unshare: 'util-linux',
    },
    isForRoot: true,
  },
];

/** Debian installs servers where only the superuser's PATH leads. */
const directories = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
];

/** The path of the program on this machine; an absolute path is looked up as it is. */
export function findProgram(name: string): string | undefined {
  return directories.map((directory) => resolve(directory, name)).find(existsSync);
}

export const hasProgram = (name: string): boolean => findProgram(name) !== undefined;

/** Suites that read what PostgreSQL counts from a version on, if the tests run on an installed one. */
const needsOfPostgres = [
  { suite: 'test/unit/heartbeat-writes.test.ts', from: 16, name: 'pg_stat_user_tables.n_tup_newpage_upd' },
];

function leftOutByPostgres(): { suite: string; reason: string }[] {
  const { GANTRY_TEST_POSTGRES: programs } = process.env;
  if (programs === undefined) return [];
  const printed = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const version = Number(/ (\d+)\./.exec(printed)?.[1]);
  if (Number.isNaN(version)) throw new Error(`${programs} has a PostgreSQL of no known version: ${printed}`);
  return needsOfPostgres
    .filter(({ from }) => version < from)
    .map(({ suite, from, name }) => ({
      suite,
      reason: `needs ${name} of PostgreSQL ${from}, this is ${version}`,
    }));
}

const leftOutByPrograms = needs.flatMap(({ suites, programs, isForRoot = false }) => {
  const missing = Object.entries(programs).filter(([program]) => !hasProgram(program));
  const found = globSync(suites, { cwd: join(import.meta.dirname, '../..') });
  if (isForRoot && process.getuid?.() !== 0)
    return found.map((suite) => ({ suite, reason: 'needs root, because it mounts file systems' }));
  if (missing.length === 0) return [];
  const names = missing.map(([program]) => program).join(', ');
  const packages = missing.map(([, debianPackage]) => debianPackage).join(' ');
  const reason = `needs ${names}: apt-get install ${packages}`;
  return found.map((suite) => ({ suite, reason }));
});

/** The suites that can't run on this machine, each with the reason. */
export const leftOut = [...leftOutByPrograms, ...leftOutByPostgres()];

if (process.env['CI'] !== undefined && leftOut.length > 0)
  throw new Error(
    `CI leaves no suite out: ${leftOut.map(({ suite, reason }) => `${suite} ${reason}`).join('; ')}`,
  );

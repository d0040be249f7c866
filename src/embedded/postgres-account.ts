// Chooses the system user that runs PostgreSQL, which must not be root, and checks what that user can access.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../process/environment.ts';
import { exists } from '../process/files.ts';
import { runCommand, type CommandOptions } from './run-command.ts';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const OWN_ACCOUNT = 'gantry-postgres';

/** Undefined if this process is not root and runs PostgreSQL as its own user. */
export async function choosePostgresAccount(clusters: string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const account =
    (await ownerOfCluster(clusters)) ??
    (await findAccount('postgres')) ??
    (await findAccount(OWN_ACCOUNT)) ??
    (await createAccount()) ??
    (await findAccount('nobody'));
  if (account === undefined) {
    throw new ConfigError(
      'PostgreSQL refuses to run as root and no unprivileged user could be found or created: run Gantry as an ordinary user, or set DATABASE_URL',
    );
  }
  return account;
}

/** Tries it, so that access lists, mount options and groups apply as they do for PostgreSQL itself. */
export async function canEnter(account: Account | undefined, directory: string): Promise<boolean> {
  const { code } = await runCommand('sh', ['-c', 'cd "$1"', 'sh', directory], {
    ...asAccount(account),
    cwd: '/',
  });
  return code === 0;
}

export function asAccount(account: Account | undefined): Pick<CommandOptions, 'uid' | 'gid'> {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

async function ownerOfCluster(clusters: string[]): Promise<Account | undefined> {
  for (const cluster of clusters) {
    const version = join(cluster, 'PG_VERSION');
    if (!(await exists(version))) continue;
    const { uid, gid } = await stat(version);
    if (uid === 0) continue;
    const { code, stdout } = await runCommand('id', ['-nu', String(uid)]);
    return { name: code === 0 ? stdout.trim() : `user ${uid}`, uid, gid };
  }
  return undefined;
}

async function findAccount(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([runCommand('id', ['-u', name]), runCommand('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function createAccount(): Promise<Account | undefined> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  for (const useradd of ['useradd', '/usr/sbin/useradd']) {
    const { code } = await runCommand(useradd, [...options, '--shell', '/usr/sbin/nologin', OWN_ACCOUNT]);
    if (code === 0) return findAccount(OWN_ACCOUNT);
  }
  return undefined;
}

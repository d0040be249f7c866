// Backup and restore of a running platform with its embedded PostgreSQL, and restores that are killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Program } from '../support/processes.ts';
import { until } from '../support/until.ts';

const gantry = resolve(import.meta.dirname, '../../src/gantry.ts');
const [email, password] = ['owner@example.com', 'a password of many characters'];

let directory: string;
let file: string;

const environmentOf = (name: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: directory,
  XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? directory, '.cache'),
  NATS_SERVER_BIN: process.env['GANTRY_TEST_NATS_SERVER'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  GANTRY_DATA_DIR: join(directory, name),
  GANTRY_BOOTSTRAP_EMAIL: email,
  GANTRY_BOOTSTRAP_PASSWORD: password,
  PORT: '0',
  LOG_LEVEL: 'error',
});

interface Run {
  code: number | null;
  output: string;
}

/** `during` gets the running command. */
async function run(name: string, args: string[], during?: (kill: () => void) => Promise<void>): Promise<Run> {
  const child = spawn(process.execPath, [gantry, ...args], { env: environmentOf(name) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  await during?.(() => child.kill('SIGKILL'));
  const [code] = (await closed) as [number | null];
  return { code, output };
}

async function signIn(url: string): Promise<number> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  return response.status;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-restores-'));
  file = join(directory, 'whole.backup');
  const platform = Program.platform(environmentOf('former'));
  try {
    const url = await platform.start();
    expect(await signIn(url)).toBe(200);
    expect(await run('former', ['backup', file])).toEqual({
      code: 0,
      output: expect.stringMatching(/: \d+ rows of \d+ tables, \d+ files\n$/),
    });
    const examined = await run('former', ['doctor']);
    expect(examined).toEqual({
      code: 0,
      output: expect.stringMatching(/ok +bus: nats-server \S+ accepts the keys/),
    });
  } finally {
    await platform.signal('SIGTERM');
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('a restored platform starts, and its users sign in', async () => {
  expect(await run('restored', ['restore', file])).toEqual({
    code: 0,
    output: expect.stringMatching(/^Restored the backup of /),
  });
  const platform = Program.platform(environmentOf('restored'));
  try {
    expect(await signIn(await platform.start())).toBe(200);
  } finally {
    await platform.signal('SIGTERM');
  }
});

it('nothing starts from a restore that was killed, and the next restore succeeds', async () => {
  const target = join(directory, 'killed');
  // Killed with the first file, and with the cluster of the database.
  for (const reached of ['restore.unfinished', 'postgres.passwords.json']) {
    const killed = await run('killed', ['restore', file], async (kill) => {
      await until(() => Promise.resolve(existsSync(join(target, reached))), reached, 60_000);
      kill();
    });
    expect(killed.code).toBeNull();
    for (const command of ['start', 'migrate', 'backup x.backup'])
      expect(await run('killed', command.split(' '))).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^gantry: GANTRY_DATA_DIR: the restore into \S+ was interrupted[^\n]*\n$/,
        ),
      });
    expect((await run('killed', ['doctor'])).output).toMatch(
      /PROBLEM +data directory: [^\n]+\n +Fix: Run "gantry restore"/,
    );
  }
  expect(await run('killed', ['restore', file])).toMatchObject({ code: 0 });
  expect((await readdir(target)).filter((name) => name.startsWith('restore'))).toEqual([]);
  const platform = Program.platform(environmentOf('killed'));
  try {
    expect(await signIn(await platform.start())).toBe(200);
  } finally {
    await platform.signal('SIGTERM');
  }
});

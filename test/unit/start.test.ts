// A failing start: each unusable file or program ends it with one line that names the setting.
import { chmod, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { createBusKeys, publicKeyOf } from '../../src/bus/keys.ts';
import { readConfig } from '../../src/config/index.ts';
import { ConfigError } from '../../src/process/environment.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { obtainInfrastructure } from '../../src/embedded/infrastructure.ts';

const root = resolve(import.meta.dirname, '../..');
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-start-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** With a database that the start never reaches. */
const environmentWith = (setting: string, value: string) => ({
  PORT: '0',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  GANTRY_JWT_SECRET: 'a secret of the tests that is long enough',
  GANTRY_DATA_DIR: join(directory, 'data'),
  [setting]: value,
});

async function faultOf(setting: string, value: string): Promise<string> {
  try {
    await obtainInfrastructure(readConfig(environmentWith(setting, value)), pino({ level: 'silent' }));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'taken';
}

async function fileWith(name: string, text: string, mode = 0o600): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

const keys = createBusKeys();
const keyFiles: Record<string, string> = {
  'is empty': '',
  'is not JSON': 'keys',
  'is null': 'null',
  'lacks the keys': '{}',
  'lacks one of them': JSON.stringify({ ...keys, agentSigning: undefined }),
  'has a key that was cut': JSON.stringify({ ...keys, account: keys.account.slice(0, -1) }),
  'has a public key for a seed': JSON.stringify({ ...keys, account: publicKeyOf(keys.account) }),
  'has the key of an account for that of the operator': JSON.stringify({ ...keys, operator: keys.account }),
};

it.each(Object.keys(keyFiles))('ends when the file of GANTRY_NATS_KEYS %s', async (fault) => {
  const file = await fileWith('keys.json', keyFiles[fault] ?? '');
  expect(await faultOf('GANTRY_NATS_KEYS', file)).toBe(`GANTRY_NATS_KEYS: ${file} is damaged`);
});

it('ends when GANTRY_NATS_KEYS is a folder, or lies below a file', async () => {
  const below = join(await fileWith('file', ''), 'keys.json');
  for (const value of [directory, below])
    expect(await faultOf('GANTRY_NATS_KEYS', value)).toMatch(/^GANTRY_NATS_KEYS: .+$/);
});

it.each([
  ['is a folder', async () => directory],
  ['may not be run', () => fileWith('text', 'nats-server')],
  ['is another program', () => fileWith('other', '#!/bin/sh\necho hello\n', 0o700)],
  ['is too old', () => fileWith('old', '#!/bin/sh\necho "nats-server: v2.8.4"\n', 0o700)],
  ['fails', () => fileWith('failing', '#!/bin/sh\necho one >&2\necho two >&2\nexit 3\n', 0o700)],
])('ends when the program of NATS_SERVER_BIN %s', async (_fault, provide) => {
  const program = await provide();
  expect(await faultOf('NATS_SERVER_BIN', program)).toMatch(
    new RegExp(`^NATS_SERVER_BIN names ${program}, which .+$`),
  );
});

it.each(['NATS_SERVER_BIN', 'GANTRY_NATS_KEYS', 'GANTRY_NATS_PUBLIC_URLS'])(
  'writes nothing but that line, and exits with code 1, for a wrong %s',
  async (setting) => {
    const { code, stderr } = await runCommand(process.execPath, [join(root, 'src/main.ts')], {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', ...environmentWith(setting, '/dev/null') },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^gantry: ${setting}[^\\n]+\\n$`));
  },
);

describe('without the database that the data directory had, the start', () => {
  const passwords = JSON.stringify({ gantry: '0a', postgres: '0b' });
  let dataDir: string;
  let number = 0;

  beforeEach(async () => {
    dataDir = join(directory, `lost-${(number += 1)}`);
    await mkdir(dataDir);
  });

  afterEach(async () => {
    const elsewhere = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => undefined);
    if (elsewhere !== undefined) await rm(elsewhere.trim(), { recursive: true, force: true });
  });

  const start = () =>
    runCommand(process.execPath, [join(root, 'src/main.ts')], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: '0',
        LOG_LEVEL: 'silent',
        NATS_URL: 'nats://127.0.0.1:1',
        GANTRY_DATA_DIR: dataDir,
      },
    });

  const fileOfPasswords = () => join(dataDir, 'postgres.passwords.json');

  /** Where the platform has put the database, or would put it. */
  async function cluster(): Promise<string> {
    const elsewhere = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => dataDir);
    return join(elsewhere.trim(), 'postgres');
  }

  it('ends with a message alone that names its former path and the next step, also with an empty directory there', async () => {
    await writeFile(fileOfPasswords(), passwords);
    const missing = await start();
    await mkdir(await cluster());
    const empty = await start();
    for (const { code, stderr } of [missing, empty]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^gantry: [^\n]+\n$/);
      expect(stderr).toContain(`was in ${await cluster()} and is not there`);
      expect(stderr).toContain(`delete ${fileOfPasswords()}`);
    }
  });

  it('ends with a message alone where its passwords are damaged', async () => {
    await writeFile(fileOfPasswords(), '{');
    const { code, stderr } = await start();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gantry: \S+ is damaged[^\n]+\n$/);
  });
});

it('npm run -s nats:config prints a configuration that nats-server accepts, and nothing else', async () => {
  const dataDir = join(directory, 'printed');
  const { PATH = '', HOME = '', GANTRY_TEST_NATS_SERVER: natsServer = '' } = process.env;
  const printed = await runCommand('npm', ['run', '-s', 'nats:config', join(directory, 'resolver')], {
    cwd: root,
    env: { PATH, HOME, GANTRY_DATA_DIR: dataDir },
  });
  expect(printed.code).toBe(0);
  expect(printed.stdout).toMatch(
    /^operator: \S+\nauthorization: { timeout: 10 }\nsystem_account: [A-Z0-9]+\nresolver: /,
  );
  expect(printed.stdout).toMatch(/\n}\n$/);
  const file = await fileWith('printed.conf', printed.stdout);
  expect(await runCommand(natsServer, ['-t', '-c', file])).toMatchObject({ code: 0 });
});

it("every guide that redirects a script's output to a file silences npm", async () => {
  const guides = ['README.md', ...(await Array.fromAsync(glob('docs/**/*.md', { cwd: root })))];
  const texts = await Promise.all(guides.map((file) => readFile(join(root, file), 'utf8')));
  const commands = texts.flatMap((text) =>
    [...text.matchAll(/npm run (.*nats:config[^`\n]*)/g)].map(([, rest]) => rest),
  );
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((rest) => !/^(-s|--silent) /.test(rest ?? ''))).toEqual([]);
});

// Every finding of the doctor, each in an installation that has the fault, with the fix that the doctor names.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { pino } from 'pino';
import { createBusKeys } from '../../src/bus/keys.ts';
import { adoptStorage } from '../../src/cli-commands/adopt-storage.ts';
import { readConfig } from '../../src/config/index.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { examine, textOf } from '../../src/doctor/index.ts';
import { examineNode, judgeSpace } from '../../src/doctor/machine.ts';
import { LocalStorage } from '../../src/storage/local-storage.ts';
import { purposes, SecretCipher } from '../../src/secrets/encryption.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillEveryTable } from '../support/every-table.ts';
import { itWhere } from '../support/it-where.ts';
import { startTestNats, type TestNats } from '../support/nats.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';

const log = pino({ level: 'silent' });
const secret = 'the secret that encrypts values of this test';

const isRoot = process.getuid?.() === 0;
const mebibyte = 1024 ** 2;
const fullDiskFix = 'Enlarge the disk, or delete files on it that are not of the platform';

let directory: string;
let dataDir: string;
let nats: TestNats;
let database: TestDatabase;
let keysFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-doctor-'));
  keysFile = join(directory, 'nats-keys.json');
  nats = await startTestNats();
  await writeFile(keysFile, JSON.stringify(nats.keys), { mode: 0o600 });
  database = await createTestDatabase();
});

beforeEach(async () => {
  dataDir = await mkdtemp(join(directory, 'data-'));
});

afterAll(async () => {
  await nats.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

const encrypted = [
  {
    of: 'webhook secrets',
    purpose: purposes.webhook,
    values: [
      { table: 'webhook', column: 'secret', subject: 'id::text' },
      { table: 'webhook', column: 'previous_secret', subject: 'id::text' },
    ],
    fix: /GANTRY_SEALING_SECRET, or have the webhooks’ secrets rotated$/,
  },
  {
    of: 'second factors',
    purpose: purposes.secondFactor,
    values: [{ table: 'totp', column: 'sealed_secret', subject: 'user_id::text' }],
    fix: /GANTRY_SEALING_SECRET, or have the users enable them again$/,
  },
  {
    of: 'notification channels',
    purpose: purposes.notificationChannel,
    values: [{ table: 'notification_channel', column: 'target', subject: 'id::text' }],
    fix: /GANTRY_SEALING_SECRET, or have the targets of the channels set again$/,
  },
  {
    of: 'payment accounts of stores',
    purpose: purposes.storeAccount,
    values: [
      { table: 'store_account', column: 'secret_key', subject: `license_id || ' key'` },
      { table: 'store_account', column: 'webhook_secret', subject: `license_id || ' webhook'` },
    ],
    fix: /GANTRY_SEALING_SECRET, or have the stores’ payment keys entered again$/,
  },
  {
    of: 'secrets of provisioned licenses',
    purpose: purposes.provisionedLicense,
    values: [
      { table: 'reseller_license', column: 'sealed_secrets', subject: `reseller_id || ' ' || server_id` },
    ],
    fix: /GANTRY_SEALING_SECRET, or wait a day: they expire$/,
  },
];

/** What the doctor finds in an installation that is sound but for these settings. */
const findingsOf = (settings: Record<string, string> = {}) =>
  examine(
    {
      GANTRY_DATA_DIR: dataDir,
      GANTRY_JWT_SECRET: secret,
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      GANTRY_NATS_KEYS: keysFile,
      ...settings,
    },
    log,
  );

async function faultsOf(settings: Record<string, string> = {}) {
  return (await findingsOf(settings)).filter(({ level }) => level !== 'ok');
}

/** The database with other settings of its sessions. */
function databaseWith(options: string, { url } = database): string {
  const changed = new URL(url);
  changed.searchParams.set('options', options);
  return changed.href;
}

it('a sound installation has no fault, and every check is named', async () => {
  const findings = await findingsOf();
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    'Node',
    'settings',
    'data directory',
    `disk of ${dataDir}`,
    `disk of ${join(dataDir, 'storage')}`,
    'PostgreSQL',
    'clock',
    'migrations',
    'jobs',
    'webhook secrets',
    'second factors',
    'notification channels',
    'payment accounts of stores',
    'secrets of provisioned licenses',
    'storage',
    'bus',
  ]);
});

it('prints each finding on a line, and the fix on the next', () => {
  const printed = textOf([
    { check: 'Node', level: 'ok', detail: '24.1.0' },
    { check: 'bus', level: 'problem', detail: 'refused', fix: 'Start it' },
  ]);
  expect(printed).toBe('ok       Node: 24.1.0\nPROBLEM  bus: refused\n          Fix: Start it');
});

it('an older Node', () => {
  expect(examineNode('22.9.0')).toEqual({
    check: 'Node',
    level: 'problem',
    detail: 'Node 22.9.0 runs this program',
    fix: 'Start it with npm or npx, which use the Node 24 that is installed with it',
  });
});

describe('settings:', () => {
  it('an invalid one is the only fault that is named', async () => {
    expect(await faultsOf({ PORT: 'eighty' })).toEqual([
      {
        check: 'settings',
        level: 'problem',
        detail: expect.stringMatching(/^PORT /),
        fix: 'Correct the setting; docs/operations.md lists all of them',
      },
    ]);
  });

  it('an address for others without a public URL, and outside of production', async () => {
    expect(await faultsOf({ HOST: '0.0.0.0' })).toEqual([
      {
        check: 'settings',
        level: 'warning',
        detail: 'HOST is reachable by others and GANTRY_PUBLIC_URL is not set',
        fix: 'Set GANTRY_PUBLIC_URL to the address that browsers and agents use',
      },
      {
        check: 'environment',
        level: 'warning',
        detail: 'HOST is reachable by others and NODE_ENV is development',
        fix: 'Set NODE_ENV=production',
      },
    ]);
    const complete = { GANTRY_PUBLIC_URL: 'https://panel.example.com', NODE_ENV: 'production' };
    expect(await faultsOf({ HOST: '0.0.0.0', ...complete })).toEqual([]);
  });
});

describe('the data directory:', () => {
  it('a file in its place', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    expect(await faultsOf({ GANTRY_DATA_DIR: file })).toEqual([
      {
        check: 'data directory',
        level: 'problem',
        detail: `${file} is not a directory`,
        fix: 'Correct GANTRY_DATA_DIR, or move the file away',
      },
    ]);
  });

  itWhere(!isRoot || canMountDisk())('a directory that this user cannot write', async () => {
    if (isRoot) {
      mountSmallDisk(dataDir, 4 * mebibyte);
      spawnSync('mount', ['-o', 'remount,ro', dataDir]);
    } else await chmod(dataDir, 0o500);
    try {
      expect((await faultsOf()).filter(({ check }) => check === 'data directory')).toEqual([
        {
          check: 'data directory',
          level: 'problem',
          detail: expect.stringMatching(/ cannot be written by this user \((EROFS|EACCES)\)$/),
          fix: 'Run the command as the user who runs the platform, or give that user the directory with chown',
        },
      ]);
    } finally {
      if (isRoot) unmountSmallDisk(dataDir);
    }
  });

  itWhere(canMountDisk())('a disk that is full', async () => {
    mountSmallDisk(dataDir, 4 * mebibyte);
    try {
      expect(await faultsOf()).toContainEqual({
        check: `disk of ${dataDir}`,
        level: 'problem',
        detail: '0.0 GiB are free',
        fix: fullDiskFix,
      });
    } finally {
      unmountSmallDisk(dataDir);
    }
  });

  it('a restore that was interrupted', async () => {
    await writeFile(join(dataDir, 'restore.unfinished'), '');
    expect(await faultsOf()).toEqual([
      {
        check: 'data directory',
        level: 'problem',
        detail: `A restore into ${dataDir} was interrupted (restore.unfinished)`,
        fix: 'Run "gantry restore" again with the same file',
      },
    ]);
  });

  it('a directory that every user reads', async () => {
    await chmod(dataDir, 0o755);
    expect(await faultsOf()).toEqual([
      {
        check: 'data directory',
        level: 'warning',
        detail: `${dataDir} is open to every user of this machine`,
        fix: `chmod o= ${dataDir}`,
      },
    ]);
  });
});

it('a disk that is nearly full, or full', () => {
  const fix = fullDiskFix;
  expect(judgeSpace('disk', 3_000 * mebibyte)).toMatchObject({ level: 'ok', detail: '2.9 GiB are free' });
  expect(judgeSpace('disk', 1_000 * mebibyte)).toMatchObject({ level: 'warning', fix });
  expect(judgeSpace('disk', 100 * mebibyte)).toEqual({
    check: 'disk',
    level: 'problem',
    detail: '0.1 GiB are free',
    fix,
  });
});

describe('the database:', () => {
  it('is unreachable', async () => {
    const closed = `postgres://gantry@127.0.0.1:${await closedPort()}/gantry`;
    expect(await faultsOf({ DATABASE_URL: closed })).toEqual([
      {
        check: 'database',
        level: 'problem',
        detail: expect.stringMatching(/ECONNREFUSED/),
        fix: 'Start PostgreSQL, or correct DATABASE_URL',
      },
    ]);
  });

  it('is embedded and has not been created', async () => {
    const findings = await findingsOf({ DATABASE_URL: '' });
    expect(findings.find(({ check }) => check === 'database')).toEqual({
      check: 'database',
      level: 'ok',
      detail: 'There is none yet; the first start creates the embedded one',
    });
  });

  describe('with functions of its own:', () => {
    beforeAll(async () => {
      await database.query('create schema fourteen');
      await database.query(
        `create function fourteen.current_setting(name text) returns text language sql as $$ select '14.20' $$`,
      );
      await database.query('create schema tomorrow');
      await database.query(
        `create function tomorrow.clock_timestamp() returns timestamptz language sql
         as $$ select pg_catalog.clock_timestamp() + interval '1 minute' $$`,
      );
    });

    it('is too old', async () => {
      expect(
        await faultsOf({ DATABASE_URL: databaseWith('-c search_path=fourteen,pg_catalog,public') }),
      ).toEqual([
        {
          check: 'PostgreSQL',
          level: 'problem',
          detail: '14.20',
          fix: 'Upgrade the server to PostgreSQL 15 or newer',
        },
      ]);
    });

    it('has another time', async () => {
      expect(
        await faultsOf({ DATABASE_URL: databaseWith('-c search_path=tomorrow,pg_catalog,public') }),
      ).toEqual([
        {
          check: 'clock',
          level: 'problem',
          detail: expect.stringMatching(/^The clock of PostgreSQL differs by (59|60)\.\d seconds$/),
          fix: 'Synchronize the clocks of both machines, for example with chrony',
        },
      ]);
    });
  });

  it('is empty', async () => {
    const empty = await createEmptyDatabase();
    try {
      expect(await faultsOf({ DATABASE_URL: empty.url })).toEqual([
        {
          check: 'migrations',
          level: 'warning',
          detail: 'The database is empty',
          fix: 'Run "gantry migrate", or start the platform',
        },
      ]);
    } finally {
      await empty.drop();
    }
  });

  it('was migrated by a newer program', async () => {
    await database.query(`insert into migration (name) values ('9999-from-the-future')`);
    try {
      expect(await faultsOf()).toEqual([
        {
          check: 'migrations',
          level: 'problem',
          detail: 'A newer program has migrated the database (9999-from-the-future)',
          fix: 'Start the newer program, or restore a backup from before its first start',
        },
      ]);
    } finally {
      await database.query(`delete from migration where name like '9999%'`);
    }
  });

  it('lacks migrations', async () => {
    const last = migrations.at(-1)?.name;
    await database.query('delete from migration where name = $1', [last]);
    try {
      expect(await faultsOf()).toEqual([
        {
          check: 'migrations',
          level: 'warning',
          detail: '1 are not applied yet',
          fix: 'Back up, and run "gantry migrate"',
        },
      ]);
    } finally {
      await database.query('insert into migration (name) values ($1)', [last]);
    }
  });
});

describe('in a database with rows in every table:', () => {
  let full: TestDatabase;

  beforeAll(async () => {
    full = await createTestDatabase();
    const client = new pg.Client({ connectionString: full.url });
    await client.connect();
    await fillEveryTable(client);
    await client.end();
    await full.query('delete from storage_marker');
    await full.query(`update agent_host set clock_offset_ms = 0`);
    await full.query(
      `update webhook set previous_secret = '', previous_secret_ends_at = now() + interval '1 day'`,
    );
    await full.query(`update store_account set provider = 'stripe'`);
    for (const column of encrypted) await encrypt(column);
  });

  afterAll(() => full.drop());

  const faults = (settings: Record<string, string> = {}) =>
    faultsOf({ DATABASE_URL: full.url, GANTRY_SEALING_SECRET: secret, ...settings });

  it('has no fault', async () => {
    expect(await faults()).toEqual([]);
  });

  describe('a storage of files:', () => {
    const fix =
      'Set GANTRY_STORAGE_DIR or S3_BUCKET as for the other processes, or run "gantry adopt-storage"';
    const storage = () => join(dataDir, 'storage');

    it('is another one than that of the other processes', async () => {
      await full.query('insert into storage_marker (id) values (gen_random_uuid())');
      try {
        const detail = `GANTRY_STORAGE_DIR: ${storage()} is not the storage that processes used before`;
        expect(await faults()).toEqual([{ check: 'storage', level: 'problem', detail, fix }]);
        const settings = { DATABASE_URL: full.url, GANTRY_JWT_SECRET: secret, GANTRY_DATA_DIR: dataDir };
        await adoptStorage(readConfig(settings), log);
        expect(await faults()).toEqual([]);
      } finally {
        await full.query('delete from storage_marker');
      }
    });

    it('lacks the files', async () => {
      const [kept] = await full.query<{ id: string }>(
        `insert into stored_file (license_id, kind, state) select id, 'maps', 'kept' from license limit 1 returning id`,
      );
      try {
        const detail = `GANTRY_STORAGE_DIR: ${storage()} lacks the files that the database names`;
        expect(await faults()).toEqual([{ check: 'storage', level: 'problem', detail, fix }]);
      } finally {
        await full.query('delete from stored_file where id = $1', [kept?.id]);
      }
    });

    it('does not respond', async () => {
      await full.query('insert into storage_marker (id) values (gen_random_uuid())');
      try {
        const endpoint = `http://127.0.0.1:${await closedPort()}`;
        const bucket = { S3_BUCKET: 'maps', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
        expect(await faults({ ...bucket, S3_ENDPOINT: endpoint, S3_FORCE_PATH_STYLE: 'true' })).toEqual([
          {
            check: 'storage',
            level: 'problem',
            detail: expect.stringMatching(/^S3_BUCKET: maps: .*ECONNREFUSED/),
            fix: 'Make it available, or correct GANTRY_STORAGE_DIR or S3_*',
          },
        ]);
      } finally {
        await full.query('delete from storage_marker');
      }
    });
  });

  describe('an archive of closed months:', () => {
    const fix = 'Restore the storage of files from a backup';

    it('stays without the setting, or lacks a file', async () => {
      await full.query(`update stored_file set state = 'kept', kind = 'archive'`);
      const [file] = await full.query<{ license_id: string; file_id: string; bytes: number }>(
        'select license_id, file_id, bytes::float8 from archived_month',
      );
      const key = `archive/${file?.license_id}/${file?.file_id}`;
      const storage = new LocalStorage(join(dataDir, 'storage'));
      const stored = async (bytes: number) => {
        await storage.remove(key);
        await storage.put(key, Readable.from([Buffer.alloc(bytes)]));
      };
      const set = { GANTRY_ARCHIVE_MONTHS: '12' };
      try {
        await stored(3);
        expect(await faults()).toEqual([
          {
            check: 'archive',
            level: 'warning',
            detail: '1 archived months stay, because GANTRY_ARCHIVE_MONTHS is not set',
            fix: 'Set GANTRY_ARCHIVE_MONTHS to how many months they are kept',
          },
        ]);
        const shorter = `${key} has 3 bytes instead of ${file?.bytes}`;
        expect(await faults(set)).toEqual([{ check: 'archive', level: 'problem', detail: shorter, fix }]);
        await stored(file?.bytes ?? 0);
        expect(await faults(set)).toEqual([]);
      } finally {
        await storage.remove(key);
        await full.query(`update stored_file set state = 'arriving', kind = 'maps'`);
      }
    });
  });

  it('a host whose clock differs', async () => {
    await full.query(
      `update agent_host set clock_offset_ms = -90000, status = 'online', hostname = 'game-1'`,
    );
    try {
      expect(await faults()).toEqual([
        {
          check: 'clock of game-1',
          level: 'warning',
          detail: "The host's clock differs by -90.0 seconds",
          fix: 'Synchronize the clock of that host',
        },
      ]);
    } finally {
      await full.query('update agent_host set clock_offset_ms = 0');
    }
  });

  it('jobs that have used up their retries', async () => {
    await full.query(
      'update graphile_worker._private_jobs set attempts = max_attempts, locked_at = null, locked_by = null',
    );
    try {
      expect(await faults()).toEqual([
        {
          check: 'jobs',
          level: 'warning',
          detail: expect.stringMatching(/^\d+ jobs have used up their retries$/),
          fix: 'List them with GET /api/admin/jobs',
        },
      ]);
    } finally {
      await full.query('update graphile_worker._private_jobs set attempts = 0');
    }
  });

  /** Each is the only one with a value that another secret has encrypted. */
  it.each(encrypted)('$of that cannot be decrypted', async (column) => {
    const { of, fix } = column;
    await encrypt(column, 'a former secret of at least 32 characters');
    try {
      const [fault, ...others] = await faults();
      expect(others).toEqual([]);
      expect(fault).toEqual({
        check: of,
        level: 'problem',
        detail: expect.stringMatching(/^(\d) of \1 are encrypted with another secret$/),
        fix: expect.stringMatching(fix),
      });
      expect(
        await faults({ GANTRY_SEALING_SECRET: 'a former secret of at least 32 characters' }),
      ).toHaveLength(encrypted.length - 1);
    } finally {
      await encrypt(column);
    }
  });

  async function encrypt({ purpose, values }: (typeof encrypted)[number], by = secret): Promise<void> {
    const cipher = new SecretCipher(by, purpose);
    for (const { table, column, subject } of values) {
      const rows = await full.query<{ ctid: string; subject: string }>(
        `select ctid::text, ${subject} as subject from ${table}`,
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows)
        await full.query(`update ${table} set ${column} = $1 where ctid = $2::tid`, [
          cipher.encrypt('a secret', row.subject),
          row.ctid,
        ]);
    }
  }
});

describe('the bus:', () => {
  it('is unreachable', async () => {
    const url = `nats://127.0.0.1:${await closedPort()}`;
    expect(await faultsOf({ NATS_URL: url })).toEqual([
      {
        check: 'bus',
        level: 'problem',
        detail: expect.stringMatching(new RegExp(`^${url}: .+`)),
        fix: 'Start nats-server with the configuration that "gantry nats-config" prints, or correct NATS_URL',
      },
    ]);
  });

  it('does not accept the keys', async () => {
    const other = join(dataDir, 'other-keys.json');
    await writeFile(other, JSON.stringify(createBusKeys()), { mode: 0o600 });
    expect(await faultsOf({ GANTRY_NATS_KEYS: other })).toEqual([
      {
        check: 'bus',
        level: 'problem',
        detail: expect.stringMatching(/authorization/i),
        fix: 'Start nats-server with the configuration that "gantry nats-config" prints, or correct NATS_URL',
      },
    ]);
  });

  it('is an old server', async () => {
    const { url, close } = await startOldBus();
    try {
      expect(await faultsOf({ NATS_URL: url })).toEqual([
        {
          check: 'bus',
          level: 'warning',
          detail: 'nats-server 2.9.24',
          fix: 'Upgrade nats-server to 2.10 or newer',
        },
      ]);
    } finally {
      await close();
    }
  });

  it('has no program', async () => {
    const program = join(dataDir, 'no-nats-server');
    expect(await faultsOf({ NATS_URL: '', NATS_SERVER_BIN: program })).toEqual([
      {
        check: 'nats-server',
        level: 'problem',
        detail: expect.stringMatching(new RegExp(`^NATS_SERVER_BIN names ${program}, which does not run`)),
        fix: 'apt-get install nats-server, or set NATS_SERVER_BIN or NATS_URL',
      },
    ]);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Speaks as much of the protocol as a connection needs. */
async function startOldBus(): Promise<{ url: string; close: () => Promise<unknown> }> {
  const info = {
    server_id: 'old',
    version: '2.9.24',
    headers: true,
    max_payload: 1_048_576,
    nonce: 'bm9uY2U',
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('data', (data) => {
      if (data.includes('PING')) socket.write('PONG\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

// Every process proves that its storage is the one of all others: directories and buckets, races, and deaths in between.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { adoptStorage } from '../../src/cli-commands/adopt-storage.ts';
import { readConfig } from '../../src/config/index.ts';
import { LocalStorage } from '../../src/storage/local-storage.ts';
import { nameOf, openStorage, type StorageSettings } from '../../src/storage/open-storage.ts';
import { ProvenStorage } from '../../src/storage/proven-storage.ts';
import { StorageMarker } from '../../src/storage/storage-marker.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { Buckets } from '../support/buckets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let directory: string;
let buckets: Buckets;
let database: TestDatabase;
/** What the processes of this test have logged. */
let lines: { level: number; msg: string }[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-marker-'));
  buckets = await Buckets.start();
});

beforeEach(async () => {
  lines = [];
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const storage of opened.splice(0)) storage.close();
  await database.drop();
});

afterAll(async () => {
  await buckets.stop();
  await rm(directory, { recursive: true, force: true });
});

const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const rows = {
  query: async (sql: string, values?: unknown[]) => ({ rows: await database.query(sql, values) }),
};

const kinds: Record<string, (name: string) => StorageSettings> = {
  directories: (name) => ({ directory: join(directory, name) }),
  buckets: (name) => ({ s3: buckets.settingsOf(name) }),
};

const opened: Storage[] = [];

async function open(settings: StorageSettings): Promise<Storage> {
  const storage = await openStorage(settings);
  opened.push(storage);
  return storage;
}

/** A storage as a starting process opens it. */
async function start(settings: StorageSettings, isAlone = false): Promise<ProvenStorage> {
  const storage = await open(settings);
  const proven = new ProvenStorage(storage, new StorageMarker(rows, storage), {
    name: nameOf(settings),
    isAlone,
    log,
  });
  await proven.proveAtStart();
  return proven;
}

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a map');
}

const keyOf = () => `maps/${randomUUID()}/${randomUUID()}`;

/** A row of a file that is kept; returns the key of the file. */
async function keepFile(): Promise<string> {
  const [license] = await database.query<{ id: string }>(
    `insert into license (key, name, subdomain, companion_token_hash) values ('k', 'n', 's', 'h') returning id`,
  );
  const [file] = await database.query<{ key: string }>(
    `insert into stored_file (license_id, kind, state) values ($1, 'maps', 'kept')
     returning 'maps/' || license_id || '/' || id as key`,
    [license?.id],
  );
  return file?.key ?? '';
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const settingsOf = kinds[kind] as (name: string) => StorageSettings;
  const fresh = () => settingsOf(`${kind}-${randomUUID()}`);

  it('a second process with the same storage reads the files of the first; one with another does not start', async () => {
    const shared = fresh();
    const [first, second, key] = [await start(shared), await start(shared), keyOf()];
    await first.put(key, content());
    expect(await text(await second.open(key))).toBe('a map');
    await expect(start(fresh())).rejects.toThrow(
      /^(GANTRY_STORAGE_DIR: \/\S+|S3_BUCKET: \S+) is not the storage of the other processes, because it lacks their marker: set GANTRY_STORAGE_DIR or S3_BUCKET as for the other processes, or run "gantry adopt-storage" if it replaces their storage$/,
    );
    // It starts again where the marker is.
    await start(shared);
  });

  it('of processes that start at once, those with the storage of the first to be recorded start', async () => {
    const several = [fresh(), fresh(), fresh()];
    const starts = await Promise.allSettled([...several, ...several, ...several].map((item) => start(item)));
    const started = starts.map(({ status }) => status === 'fulfilled');
    expect(started.filter(Boolean)).toHaveLength(3);
    const winner = started.indexOf(true);
    expect(started).toEqual(starts.map((_, index) => index % 3 === winner));
  });

  it('a process that dies before it records its marker is in the way of none', async () => {
    const shared = fresh();
    const storage = await open(shared);
    const written = Promise.withResolvers<undefined>();
    const dying: Storage = {
      put: async (...args: Parameters<Storage['put']>) => {
        await storage.put(...args);
        written.resolve(undefined);
        await new Promise(() => undefined);
      },
      open: (...args) => storage.open(...args),
      sizeOf: (key) => storage.sizeOf(key),
      remove: (key) => storage.remove(key),
      close: () => undefined,
    };
    void new StorageMarker(rows, dying).claim();
    await written.promise;
    expect(await database.query('select * from storage_marker')).toEqual([]);
    await start(shared);
    await start(shared);
    await expect(start(fresh())).rejects.toThrow('lacks their marker');
  });

  it('after an upgrade the storage that has the files is marked, and no other', async () => {
    const [shared, key] = [fresh(), await keepFile()];
    const storage = await open(shared);
    await storage.put(key, content());
    await expect(start(fresh())).rejects.toThrow(/ lacks the files that the database names: set /);
    await start(shared);
    expect(await database.query('select 1 from storage_marker')).toHaveLength(1);
  });

  it('the only process of an installation takes another storage, and says so', async () => {
    await start(fresh(), true);
    await keepFile();
    const moved = fresh();
    await start(moved, true);
    expect(lines.at(-1)).toMatchObject({ level: 40, files: 1, missing: 1 });
    expect(lines.at(-1)?.msg).toMatch(/ is another storage than before, and is used from now on$/);
    lines = [];
    await start(moved, true);
    expect(lines).toEqual([]);
  });

  it('a storage that replaces the former one is adopted, and the former one is refused from then on', async () => {
    const [former, next] = [fresh(), fresh()];
    await start(former);
    await keepFile();
    expect(await adoptStorage(configWith(next), log)).toMatch(
      /^(GANTRY_STORAGE_DIR|S3_BUCKET): \S+ is the storage of this installation\. It lacks 1 of 1 files\. /,
    );
    await start(next);
    await expect(start(former)).rejects.toThrow('lacks their marker');
  });
});

it('processes with one directory that start at once leave one marker', async () => {
  const shared = { directory: join(directory, randomUUID()) };
  await Promise.all(Array.from({ length: 10 }, () => start(shared)));
  const [row] = await database.query<{ id: string }>('select id from storage_marker');
  expect(await readdir(join(shared.directory, 'marker'))).toEqual([row?.id]);
});

it('a process starts without a bucket that does not respond, and uses it only once it is the right one', async () => {
  const settings = { s3: buckets.settingsOf('late') };
  buckets.isDown = true;
  const [late, key] = [await start(settings), keyOf()];
  expect(lines.map(({ msg }) => msg)).toEqual([
    'S3_BUCKET: late could not be checked: files are refused until it responds',
  ]);
  await expect(late.put(key, content())).rejects.toThrow('checking the storage failed');
  buckets.isDown = false;
  await late.put(key, content());
  expect(await late.sizeOf(key)).toBe(5);

  buckets.isDown = true;
  const wrong = await start({ s3: buckets.settingsOf('wrong') });
  buckets.isDown = false;
  lines = [];
  for (const refused of [() => wrong.put(key, content()), () => wrong.remove(key), () => wrong.sizeOf(key)])
    await expect(refused()).rejects.toThrow('checking the storage failed');
  await nextTurn();
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(
    new Set([expect.stringMatching(/^S3_BUCKET: wrong is not the storage of the other processes/)]),
  );
  expect([...buckets.objects.keys()].filter((name) => name.startsWith('/wrong/'))).toEqual([]);
});

it('a directory that is not there holds no marker, and is not created for a comparison', async () => {
  await start({ directory: join(directory, randomUUID()) });
  const absent = join(directory, 'absent');
  await expect(start({ directory: absent })).rejects.toThrow('lacks their marker');
  await expect(readdir(absent)).rejects.toThrow('ENOENT');
  expect(await new LocalStorage(absent).sizeOf(keyOf())).toBeNull();
});

function configWith(settings: StorageSettings) {
  const storage =
    's3' in settings
      ? {
          S3_BUCKET: settings.s3.bucket,
          S3_ENDPOINT: settings.s3.endpoint,
          S3_ACCESS_KEY_ID: settings.s3.accessKeyId,
          S3_SECRET_ACCESS_KEY: settings.s3.secretAccessKey,
          S3_FORCE_PATH_STYLE: 'true',
        }
      : { GANTRY_STORAGE_DIR: settings.directory };
  return readConfig({
    DATABASE_URL: database.url,
    GANTRY_JWT_SECRET: 'a secret of the tests that is long enough',
    GANTRY_DATA_DIR: join(directory, 'data'),
    ...storage,
  });
}

// The data of the previous release, with rows in every table, under this program.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { Archive } from '../../src/platform-backup/backup-file.ts';
import { readManifest, type Manifest } from '../../src/platform-backup/manifest.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { backUp, configOf, restore } from '../support/backups.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillEveryTable } from '../support/every-table.ts';

/** Made by the program of that release: `UPDATE_RELEASE_BACKUP=1 npm test -- test/faults/upgrades` before a release. */
const file = resolve(import.meta.dirname, 'release-0.1.0.backup');

let directory: string;
let database: TestDatabase;
let former: Manifest;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-upgrades-'));
  if (process.env['UPDATE_RELEASE_BACKUP'] === '1') await writeReleaseBackup();
  database = await createEmptyDatabase();
  const archive = await Archive.open(file);
  former = readManifest(archive.manifest);
  archive.close();
});

afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function writeReleaseBackup(): Promise<void> {
  const source = await createTestDatabase();
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  await fillEveryTable(client);
  await client.end();
  const [kept] = await source.query<{ key: string }>(
    `update stored_file set state = 'kept' returning 'maps/' || license_id || '/' || id as key`,
  );
  const stored = join(directory, 'source/storage', kept?.key ?? '');
  await mkdir(dirname(stored), { recursive: true });
  await writeFile(stored, 'content of a map');
  await rm(file, { force: true });
  await backUp(configOf(source.url, join(directory, 'source')), file);
  await source.drop();
}

/** Rows that migrations since then add or remove. */
const migrated: Readonly<Record<string, number>> = {
  'public.job_worker': -1,
  // The module that sandboxes subscribe to.
  'public.module': 1,
};

it('is migrated with all its rows, files and keys', async () => {
  const empty = former.database.tables.filter(({ rows }) => rows === 0).map(({ table }) => table);
  expect(empty).toEqual(['graphile_worker._private_known_crontabs', 'public.domain_event']);
  await restore(configOf(database.url, join(directory, 'target')), file);
  const applied = await database.query<{ name: string }>('select name from migration order by name');
  expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).toSorted());
  for (const { table, rows } of former.database.tables.filter(({ table: name }) => !dropped.includes(name))) {
    const [counted] = await database.query<{ rows: number }>(
      `select count(*)::integer as rows from ${table}`,
    );
    expect({ table, rows: counted?.rows }).toEqual({ table, rows: rows + (migrated[table] ?? 0) });
  }
  const [key = ''] = former.stored_files;
  expect(await readFile(join(directory, 'target/storage', key), 'utf8')).toBe('content of a map');
});

/** Tables of the former release that this one has no more, or moves the rows of. */
const dropped: string[] = [];

// A program older than its database refuses to start and to back it up, and names both versions.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { formerNames } from '../../src/database/migrations/index.ts';
import { backUp, configOf } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const refusal =
  /newer program \(gantry 99\.0\.0, migration 9999-from-the-future\); this is gantry \d+\.\d+\.\d+, which knows migrations up to \d{4}-/;

async function migrateToTheFuture(database: TestDatabase): Promise<void> {
  await database.query(`insert into migration (name) values ('9999-from-the-future')`);
  await database.query(`comment on table migration is 'gantry 99.0.0'`);
}

it('rejects a database with an unknown migration, and changes nothing', async () => {
  const database = await createTestDatabase();
  const log = pino({ level: 'silent' });
  const start = () => migrate({ url: database.url }, log);
  try {
    await start();
    await migrateToTheFuture(database);
    await expect(start()).rejects.toThrow(refusal);
    const [row] = await database.query(`select obj_description('migration'::regclass) as program`);
    expect(row).toEqual({ program: 'gantry 99.0.0' });
    await database.query(`delete from migration where name like '9999%'`);
    await start();
  } finally {
    await database.drop();
  }
});

it('does not back up a database with an unknown migration; one that waits for an upgrade it does', async () => {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'gantry-older-program-'));
  const config = configOf(database.url, join(directory, 'data'));
  try {
    const [former, name] = formerNames[0] ?? [];
    await database.query('update migration set name = $1 where name = $2', [former, name]);
    await backUp(config, join(directory, 'before-the-upgrade'));
    await migrateToTheFuture(database);
    await expect(backUp(config, join(directory, 'refused'))).rejects.toThrow(refusal);
    expect((await readdir(directory)).filter((file) => file.startsWith('refused'))).toEqual([]);
  } finally {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});

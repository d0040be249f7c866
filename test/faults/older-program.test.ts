// A program older than its database refuses to start, and names both versions.
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

it('rejects a database with an unknown migration, and changes nothing', async () => {
  const database = await createTestDatabase();
  const log = pino({ level: 'silent' });
  const start = () => migrate({ url: database.url }, log);
  try {
    await start();
    await database.query(`insert into migration (name) values ('9999-from-the-future')`);
    await database.query(`comment on table migration is 'gantry 99.0.0'`);
    await expect(start()).rejects.toThrow(
      /newer program \(gantry 99\.0\.0, migration 9999-from-the-future\); this is gantry \d+\.\d+\.\d+, which knows migrations up to \d{4}-/,
    );
    const [row] = await database.query(`select obj_description('migration'::regclass) as program`);
    expect(row).toEqual({ program: 'gantry 99.0.0' });
    await database.query(`delete from migration where name like '9999%'`);
    await start();
  } finally {
    await database.drop();
  }
});

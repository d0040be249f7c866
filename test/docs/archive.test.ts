// Runs the commands of docs/archive.md on an archive of some months.
import { join } from 'node:path';
import { root } from '../support/contract.ts';
import { ArchiveWorld, monthStart } from '../support/archive.ts';
import { runGuide } from '../support/guide.ts';

let opened: ArchiveWorld;

beforeAll(async () => {
  opened = await ArchiveWorld.create();
});

afterAll(async () => {
  await opened.close();
});

it('lists months, and prints what PostgreSQL computes from the same sessions', async () => {
  const { tenant } = await opened.play(1, 400);
  const { id } = tenant.license;
  await opened.archive.run();
  const month = new Date(monthStart(4)).toISOString().slice(0, 7);
  const { output, ...outcome } = await runGuide('docs/archive.md', {
    PROGRAM: `node ${join(root, 'src/gantry.ts')}`,
    LICENSE: id,
    MONTH: month,
    DATABASE_URL: opened.world.database.url,
    GANTRY_JWT_SECRET: 'a secret of at least thirty-two characters',
    GANTRY_STORAGE_DIR: opened.folder,
    GANTRY_DATA_DIR: opened.archive.directory,
    XDG_CACHE_HOME: opened.archive.directory,
  });
  expect({ ...outcome, output }).toMatchObject({ status: 0, processes: [] });
  const select = async (sql: string) =>
    (await opened.world.database.query<Record<string, unknown>>(sql, [id])).map((row) => Object.values(row));
  const months = await opened.archivedRows(id);
  const hours = await select(`
    with session as (
      select instance_id, floor(extract(epoch from ended_at - started_at) * 1000) / 3600000 as hours from player_session
      where license_id = $1 and has_join
    )
    select name, round(sum(hours), 1)::float8 as hours, round(100 * sum(hours) filter (where hours > 2) / sum(hours), 1)::float8 as long
    from session join game_instance on id = instance_id group by name order by sum(hours) desc`);
  const returns = await select(`
    with month as (
      select distinct steam_id, date_trunc('month', started_at, 'UTC') as month from player_session where license_id = $1
    )
    select to_char(this.month at time zone 'UTC', 'YYYY-MM-DD') as first, count(*)::integer as players, count(next.steam_id)::integer as back
    from month as this left join month as next on next.steam_id = this.steam_id
      and next.month = (this.month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
    group by this.month order by this.month`);
  const most = await select(`
    select steam_id, name, count(*)::integer from player_session join player using (license_id, steam_id)
    where license_id = $1 and to_char(started_at at time zone 'UTC', 'YYYY-MM') = '${month}'
    group by 1, 2 order by 3 desc, 1 limit 3`);
  const lines = output.trimEnd().split('\n');
  expect(lines.shift()).toBe('source,month,row_count,bytes');
  expect(lines.splice(0, months.length).map((line) => line.split(',').slice(0, 3))).toEqual(
    months.map(({ source, month: first, row_count: rows }) => [source, first, String(rows)]),
  );
  expect(lines.splice(0, 1 + hours.length)).toEqual([
    'name,hours,percent_long',
    ...hours.map((row) => row.join(',')),
  ]);
  expect(lines.splice(0, returns.length).map((line) => JSON.parse(line) as unknown)).toEqual(
    returns.map(([first, players, cameBack]) => ({ month: first, players, came_back: cameBack })),
  );
  expect(lines).toEqual(['steam_id,name,sessions', ...most.map((row) => row.join(','))]);
});

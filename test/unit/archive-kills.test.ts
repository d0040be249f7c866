// The archive is killed at each of its steps: months are recorded with their file or not at all, and nothing is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ArchiveWorld } from '../support/archive.ts';
import { killedProgram, Moments, type Moment } from '../support/moments.ts';

let opened: ArchiveWorld;
let moments: Moments;

beforeAll(async () => {
  opened = await ArchiveWorld.create();
  moments = new Moments(opened.archive.directory);
});

afterAll(async () => {
  await opened.close();
});

async function runKilled(moment: Moment): Promise<void> {
  moments.arm(moment);
  const child = spawn(process.execPath, [killedProgram], {
    env: {
      ...process.env,
      ...moments.environmentOf('test/support/archive-program.ts'),
      GANTRY_TEST_DATABASE: opened.world.database.url,
      GANTRY_TEST_STORAGE: opened.folder,
      // Removed with the world.
      TMPDIR: opened.archive.directory,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  expect(signal).toBe('SIGKILL');
}

const sum = (rows: { row_count: number }[]) => rows.reduce((total, { row_count: count }) => total + count, 0);

it.each<[string, Moment]>([
  ['numbers are given to players', { call: 'write', about: 'insert into archived_player', isAfter: true }],
  ['rows are copied', { call: 'write', about: 'copy \\(', isAfter: true }],
  ['the file is announced', { call: 'write', about: 'insert into "stored_file"' }],
  ['the file was announced', { call: 'write', about: 'insert into "stored_file"', isAfter: true }],
  ['the file gets its name', { call: 'rename', about: '/archive/[0-9a-f-]+/' }],
  ['the file has its name', { call: 'rename', about: '/archive/[0-9a-f-]+/', isAfter: true }],
  ['the month is recorded', { call: 'write', about: 'insert into "archived_month"' }],
  ['the record is being committed', { call: 'write', about: 'insert into "archived_month"', isAfter: true }],
  ['a second month is recorded', { call: 'write', about: 'insert into "archived_month"', nth: 2 }],
  ['the first month is complete', { call: 'write', about: 'insert into archive_completion' }],
])('as %s', async (_step, moment) => {
  const { tenant } = await opened.play(20, 60);
  const { id } = tenant.license;
  const [{ stored = 0 } = {}] = await opened.world.database.query<{ stored: number }>(
    'select count(*)::integer as stored from player_session where license_id = $1',
    [id],
  );
  await runKilled(moment);
  // What is recorded can be read: each file has the checksum of its row.
  const count = async () => (await opened.archive.ask(id, 'select count(*) from sessions'))[0]?.[0];
  expect(await count()).toBe(sum(await opened.archivedRows(id)));
  await opened.archive.run();
  expect(await count()).toBe(stored);
  const rows = await opened.archivedRows(id);
  expect(sum(rows)).toBe(stored);
  await opened.world.database.query(
    `update stored_file set created_at = now() - interval '2 hours' where state = 'arriving'`,
  );
  await opened.archive.files.sweep();
  expect(await opened.licenseFiles(id)).toEqual(rows.map(({ file_id }) => file_id).toSorted());
  expect(
    await opened.world.database.query('select from player_session where license_id = $1', [id]),
  ).toHaveLength(stored);
});

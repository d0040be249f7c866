// Wipes of the simulated Rust server by a real agent: what is deleted, kept, announced and refused.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

import {
  openStageForEachTest,
  stage,
  folder,
  filesOf,
  oldMap,
  oldSave,
  newSave,
  startPlayed,
  send,
  begin,
  cancel,
  disturbingCommands,
  backupCommand,
  reportsOf,
  untilWipe,
  statusesOf,
  asideOf,
  textOf,
  endGame,
  askPlan,
  oldFiles,
} from './support/wiped-server.ts';

openStageForEachTest();

test('a map wipe takes the map and the world, keeps the rest, and starts with the new seed and size', async () => {
  await startPlayed();
  const before = filesOf();
  const created = textOf(oldSave);
  const id = await begin({ seed: 42, world_size: 4000 });
  const completed = await untilWipe(id, 'completed');
  expect(completed).toMatchObject({ file_count: 9, detail: '9 files were deleted.' });
  expect(statusesOf(id)).toEqual(['planned', 'stopping', 'deleting', 'starting', 'completed']);
  const fresh = before
    .map((name) => name.replace('3500.1337', '4000.42'))
    .filter((name) => !name.endsWith('.1'));
  await until(() => !existsSync(asideOf(id)), 'that what was set aside is deleted');
  expect(filesOf()).toEqual(fresh.sort());
  expect(textOf(newSave) > created).toBe(true);
  expect(textOf('player.states.5.db')).not.toBe('played');
  await stage.platform.run('restart');
  await until(
    () => stage.platform.lines().filter(({ text }) => text.includes('+server.seed 42')).length >= 2,
    'the new seed again',
  );
});

test('blueprints, and all that a full wipe takes, go without the rest', async () => {
  await startPlayed();
  writeFileSync(folder('player.blueprints.5.db'), 'learned');
  const before = oldFiles();
  const blueprints = await begin({ kind: 'blueprints' });
  expect(await untilWipe(blueprints, 'completed')).toMatchObject({ file_count: 2 });
  expect(textOf('player.blueprints.5.db')).not.toBe('learned');
  expect(textOf('player.states.5.db')).toBe('played');
  for (const name of ['player.tokens.db', 'companion.id', 'Log.Death.txt'])
    writeFileSync(folder(name), 'kept');
  writeFileSync(folder('cfg', 'server.cfg'), 'kept');
  const full = await begin({ kind: 'full' });
  await untilWipe(full, 'completed');
  await until(() => !existsSync(asideOf(full)), 'that what was set aside is deleted');
  expect(oldFiles()).toEqual(before);
  expect(textOf('player.states.5.db')).not.toBe('played');
  for (const name of ['player.tokens.db', 'companion.id', 'Log.Death.txt', 'cfg/server.cfg'])
    expect(textOf(name)).toBe('kept');
});

test('a backup is made before, while the server is stopped', async () => {
  await startPlayed();
  const id = await begin({ backup: true });
  await untilWipe(id, 'completed');
  expect(statusesOf(id)).toEqual(['planned', 'stopping', 'backing_up', 'deleting', 'starting', 'completed']);
  expect(readdirSync(join(stage.agent.stateDirectory, 'backups', 'main'))).toContain(`${id}.zip`);
});

test('a countdown blocks no command and can be cancelled; a second wipe has to wait', async () => {
  await startPlayed();
  const before = oldFiles();
  const id = await begin({ countdown_seconds: 600 });
  await untilWipe(id, 'announcing');
  for (const verb of ['stop', 'start', 'restart'] as const)
    expect(await stage.platform.run(verb)).toMatchObject({ status: 'succeeded' });
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'wipe_under_way' });
  expect((await send({ countdown_seconds: 600 }, id)).result).toMatchObject({ status: 'succeeded' });
  expect(await cancel(randomUUID())).toMatchObject({ error_code: 'wipe_begun' });
  const [pid] = stage.agent.starts().slice(-1);
  expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
  await untilWipe(id, 'cancelled');
  expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
  expect(oldFiles()).toEqual(before);
  expect(stage.agent.starts().at(-1)).toBe(pid);
  const next = await begin();
  await untilWipe(next, 'completed');
  expect(await cancel(next)).toMatchObject({ error_code: 'wipe_begun' });
  expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
});

test('what would come in the way is refused once the server is being stopped', async () => {
  await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
  const id = await begin();
  await untilWipe(id, 'stopping');
  for (const verb of ['start', 'stop', 'restart'] as const)
    expect(await stage.platform.run(verb)).toMatchObject({ error_code: 'wipe_under_way' });
  for (const command of disturbingCommands()) {
    expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
    expect(await stage.platform.resultOf(command.id)).toMatchObject({ error_code: 'wipe_under_way' });
  }
  await endGame();
  await untilWipe(id, 'completed');
});

test('a wipe that is over is not done again for the same id', async () => {
  await startPlayed();
  const id = await begin({ seed: 42, world_size: 4000 });
  await untilWipe(id, 'completed');
  writeFileSync(folder('player.states.5.db'), 'played since');
  expect((await send({ seed: 42, world_size: 4000 }, id)).result).toMatchObject({ status: 'succeeded' });
  await untilWipe(await begin({ kind: 'blueprints' }), 'completed');
  expect(statusesOf(id).filter((status) => status === 'deleting')).toHaveLength(1);
  expect(textOf('player.states.5.db')).toBe('played since');
});

test('a stop that is under way as the countdown ends is waited for, and the server stays stopped', async () => {
  await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
  const id = await begin({ countdown_seconds: 2 });
  const stopping = stage.platform.run('stop');
  await stage.platform.untilState('stopping');
  await until(() => Date.now() > Date.parse(reportsOf(id).at(-1)?.due_at ?? '') + 300, 'its time');
  expect(statusesOf(id)).toEqual(['planned', 'announcing']);
  await endGame();
  expect(await stopping).toMatchObject({ status: 'succeeded' });
  await untilWipe(id, 'completed');
  expect(stage.agent.starts()).toHaveLength(1);
});

test('a backup that is under way is made whole before anything is deleted', async () => {
  await startPlayed();
  const large = folder('Log.Large.txt');
  writeFileSync(large, '');
  truncateSync(large, 4 * 1024 ** 3);
  const backup = backupCommand();
  await stage.platform.send(backup);
  const kept = join(stage.agent.stateDirectory, 'backups', 'main');
  await until(() => existsSync(join(kept, `${backup.id}.partial`)), 'the backup under way');
  const id = await begin({ seed: 42, world_size: 4000 });
  truncateSync(large, 0);
  expect(await stage.platform.resultOf(backup.id)).toMatchObject({ status: 'succeeded' });
  await untilWipe(id, 'completed');
  expect(existsSync(join(kept, `${backup.id}.json`))).toBe(true);
  const begun = reportsOf(id).find(({ status }) => status === 'stopping');
  const finished = stage.platform.results.find(({ command_id }) => command_id === backup.id);
  expect(begun?.at && finished && begun.at >= finished.finished_at).toBe(true);
});

test('a dry run names exactly what a wipe takes, and changes nothing', async () => {
  await startPlayed();
  const before = new Map(filesOf().map((name) => [name, name === 'cfg' ? '' : textOf(name)]));
  const { plan } = await askPlan({ kind: 'map', seed: 42, countdown_seconds: 60 });
  expect(plan).toMatchObject({
    stops: true,
    starts: true,
    launch_before: { seed: 1337, world_size: 3500, level_url: null },
    launch_after: { seed: 42, world_size: 3500, level_url: null },
    announcements: [
      { before_seconds: 60, text: 'The map is wiped in 1 minute.' },
      { before_seconds: 30, text: 'The map is wiped in 30 seconds.' },
      { before_seconds: 10, text: 'The map is wiped in 10 seconds.' },
    ],
  });
  expect(plan?.files.map(({ path }) => path)).toContain(`server/main/${oldMap}`);
  expect(plan?.total_bytes).toBe(plan?.files.reduce((sum, { size }) => sum + size, 0));
  expect(new Map(filesOf().map((name) => [name, name === 'cfg' ? '' : textOf(name)]))).toEqual(before);
  expect(stage.platform.wipeReports).toEqual([]);
});

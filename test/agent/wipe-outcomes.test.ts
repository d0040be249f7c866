// How wipes end: servers that do not start again, stopped servers, uploaded maps, and servers that cannot be wiped.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import {
  openStageForEachTest,
  stage,
  brokenSeed,
  folder,
  oldMap,
  oldSave,
  newMap,
  startPlayed,
  send,
  begin,
  reportsOf,
  untilWipe,
  statusesOf,
  asideOf,
  textOf,
  chat,
  askPlan,
  sorted,
  oldFiles,
} from './support/wiped-server.ts';

openStageForEachTest();

test('a server that does not start with the new map gets the old one back, and runs', async () => {
  await startPlayed();
  const before = oldFiles();
  const created = textOf(oldSave);
  const id = await begin({ seed: brokenSeed, backup: true });
  const report = await untilWipe(id, 'rolled_back');
  expect(report).toMatchObject({ error_code: 'start_failed' });
  expect(report.detail).toContain('The map could not be generated.');
  expect(oldFiles()).toEqual(before);
  expect([textOf(oldSave), textOf('player.states.5.db')]).toEqual([created, 'played']);
  await stage.platform.untilState('running');
  expect(stage.platform.lines().findLast(({ text }) => text.startsWith('Command Line'))?.text).toContain(
    '+server.seed 1337',
  );
  expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
});

test('a server that never reports a new save is restored too', async () => {
  await startPlayed({ wipe_start_seconds: 2 });
  // RCON keeps the right one until the server is stopped.
  writeFileSync(join(stage.agent.directory, 'rcon-password'), 'wrong');
  const id = await begin();
  expect(await untilWipe(id, 'rolled_back')).toMatchObject({ error_code: 'start_timeout' });
  expect(textOf('player.states.5.db')).toBe('played');
});

test('a running server whose RCON password is wrong is not wiped, and a stopped one is', async () => {
  await startPlayed();
  writeFileSync(join(stage.agent.directory, 'rcon-password'), 'wrong');
  expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
  await stage.platform.untilLine('RCON password');
  const { id, result } = await send();
  expect(result).toMatchObject({
    status: 'failed',
    error_code: 'game_unreachable',
    detail: expect.stringContaining('password'),
  });
  expect(reportsOf(id)).toEqual([]);
  expect(textOf('player.states.5.db')).toBe('played');
  await stage.platform.run('stop');
  await untilWipe(await begin(), 'completed');
});

test('a stopped server stays stopped unless it is to be started', async () => {
  await startPlayed({ isStopped: true });
  const quiet = await begin({ countdown_seconds: 1 });
  await untilWipe(quiet, 'completed');
  expect(statusesOf(quiet)).toEqual(['planned', 'announcing', 'stopping', 'deleting', 'completed']);
  expect(existsSync(folder(oldMap))).toBe(false);
  expect(stage.agent.starts()).toHaveLength(1);
  const loud = await begin({ start: true });
  await untilWipe(loud, 'completed');
  expect(existsSync(folder(oldMap))).toBe(true);
  expect(stage.agent.starts()).toHaveLength(2);
});

test('a wipe to an uploaded map starts with its address, and the next one to a seed without it', async () => {
  await startPlayed();
  const level_url = 'https://maps.example.com/islands.map';
  await untilWipe(await begin({ level_url }), 'completed');
  expect(await askPlan({ seed: 42, world_size: 4000 })).toMatchObject({
    plan: {
      launch_before: { seed: null, world_size: null, level_url },
      launch_after: { seed: 42, world_size: 4000, level_url: null },
    },
  });
  await untilWipe(await begin({ seed: 42, world_size: 4000 }), 'completed');
  expect(existsSync(folder(newMap))).toBe(true);
});

test('a wipe right after another one waits until that one has written its last', async () => {
  await startPlayed({ isStopped: true });
  for (let turn = 0; turn < 12; turn += 1) {
    writeFileSync(folder(oldMap), Buffer.alloc(1_000_000));
    await untilWipe(await begin(), 'completed');
  }
});

test('other games, and save folders reached through links, are refused', async () => {
  await startPlayed({ game: 'minecraft' });
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'not_supported' });
  expect(await askPlan()).toMatchObject({ ok: false, error: { code: 'not_supported' } });
  await stage.agent.end();
  await startPlayed({ isStopped: true });
  renameSync(folder(), join(stage.agent.directory, 'elsewhere'));
  symlinkSync(join(stage.agent.directory, 'elsewhere'), folder());
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'files_refused' });
  expect(readFileSync(join(stage.agent.directory, 'elsewhere', oldMap), 'utf8')).toBe('terrain');
});

test('what could not be put back is where people can reach it', async () => {
  await startPlayed({ more: ['--boot-ms', '2000'] });
  const id = await begin({ seed: brokenSeed });
  await untilWipe(id, 'starting');
  const hidden = sorted(readdirSync(asideOf(id)));
  mkdirSync(folder(oldMap)); // nothing can be moved over it
  const report = await untilWipe(id, 'failed');
  expect(report.detail).toContain(`The files that were set aside are in server/main/wipe-${id}.`);
  expect(existsSync(asideOf(id))).toBe(false);
  expect(hidden).toEqual(expect.arrayContaining(readdirSync(folder(`wipe-${id}`))));
  expect(readdirSync(folder(`wipe-${id}`))).toContain(oldMap);
});

test('the countdown is announced in the chat at the right times, in words that are one command', async () => {
  await startPlayed();
  const id = await begin({ countdown_seconds: 11, message: 'New map in {time}, "quit" on {time}!' });
  const { due_at } = await untilWipe(id, 'announcing');
  await untilWipe(id, 'completed');
  const announced = chat().map(({ at, text }) => ({
    text: text.replace('[CHAT] SERVER[0] : ', ''),
    seconds: Math.round((Date.parse(due_at ?? '') - Date.parse(at)) / 1_000),
  }));
  expect(announced.map(({ text }) => text)).toEqual([
    'New map in 11 seconds, "quit" on 11 seconds!',
    'New map in 10 seconds, "quit" on 10 seconds!',
  ]);
  for (const { seconds } of announced) expect(seconds).toBeGreaterThanOrEqual(8);
  const [stop] = reportsOf(id).filter(({ status }) => status === 'stopping');
  expect(Date.parse(stop?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(due_at ?? ''));
});

// Wipes of the simulated Rust server by a real agent: what is deleted, kept, reported and restored.
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schemas } from '../../agent/src/messages.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { isAlive, Stage } from './support/agent.ts';
import type { InstanceSettings } from './support/agent.ts';
import { startRust } from './support/rust-instance.ts';

type Status = Schemas['WipeStatus'];

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

const brokenSeed = 666;
const folder = (...names: string[]) => join(stage.agent.directory, 'server', 'main', ...names);
const filesOf = () => readdirSync(folder()).sort();
const oldMap = 'proceduralmap.3500.1337.262.map';
const oldSave = 'proceduralmap.3500.1337.262.sav';
const newMap = 'proceduralmap.4000.42.262.map';
const newSave = 'proceduralmap.4000.42.262.sav';

interface Options extends InstanceSettings {
  more?: string[];
  isStopped?: boolean;
}

/** The simulated server, running, with a world that has been played in. */
async function startPlayed({ more = [], isStopped = false, ...settings }: Options = {}): Promise<void> {
  const map = ['+server.identity', 'main', '+server.seed', '1337', '+server.worldsize', '3500'];
  await startRust(stage, ['--broken-seed', String(brokenSeed), ...map, ...more], settings);
  writeFileSync(folder('player.states.5.db'), 'played');
  if (isStopped) await stage.platform.run('stop');
}

function requestOf(request: Partial<Schemas['WipeRequest']> = {}): Schemas['WipeRequest'] {
  return { kind: 'map', countdown_seconds: 0, backup: false, start: false, ...request };
}

/** Sends the command and returns its result; the wipe continues after that. */
async function send(request: Partial<Schemas['WipeRequest']> = {}, id: string = randomUUID()) {
  const command = stage.platform.command('wipe', 'main', {
    args: { wipe_id: id, request: requestOf(request) },
  });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return { id, result: await stage.platform.resultOf(command.id) };
}

async function begin(request: Partial<Schemas['WipeRequest']> = {}): Promise<string> {
  const { id, result } = await send(request);
  expect(result).toMatchObject({ status: 'succeeded' });
  return id;
}

async function cancel(wipeId: string) {
  const command = stage.platform.command('cancel_wipe', 'main', { args: { wipe_id: wipeId } });
  await stage.platform.send(command);
  return stage.platform.resultOf(command.id);
}

/** Commands beside those of its power that need its files, or the running server, for themselves. */
const disturbingCommands = () => [
  backupCommand(),
  stage.platform.command('restore_backup', 'main', {
    args: { backup_id: randomUUID(), keep_present: false, remove_later: false, stop: true },
  }),
  stage.platform.command('deliver', 'main', {
    args: {
      delivery_id: randomUUID(),
      transaction_id: randomUUID(),
      steam_id: '76561198000000001',
      player_name: 'Aster',
      item_name: 'VIP',
      quantity: 1,
      commands: ['inventory.giveto {steam_id} vip'],
      needs_online_player: false,
    },
  }),
];

const backupCommand = () => stage.platform.command('create_backup', 'main', { args: { kind: 'manual' } });

const reportsOf = (id: string) => stage.platform.wipeReports.filter(({ wipe_id }) => wipe_id === id);

/** The first report with that status. */
const untilWipe = (id: string, status: Status) =>
  until(
    () => reportsOf(id).find((report) => report.status === status),
    `the wipe ${status}, after ${JSON.stringify(reportsOf(id))}`,
  );

/** Each status once, in the order of the reports. */
const statusesOf = (id: string): Status[] => [
  ...new Map(reportsOf(id).map(({ seq, status }) => [seq, status])).values(),
];

/** Maps of another world, before the tenth of which the stopping agent stops itself. */
const otherMaps = Array.from({ length: 20 }, (_, index) => `proceduralmap.1000.${index + 1}.262.map`);
const stoppingAgent = fileURLToPath(new URL('support/agent-that-stops.ts', import.meta.url));

async function startStoppingAgent(): Promise<void> {
  await stage.agent.end('SIGKILL');
  await stage.startAgent({ program: stoppingAgent });
}

const untilStopped = () =>
  until(
    () => /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${stage.agent.pid}/stat`, 'utf8')),
    'the agent to stop itself',
  );

const asideOf = (id: string) => folder(`.gantry-wipe-${id}`);
const textOf = (name: string) => readFileSync(folder(name), 'utf8');
const chat = () => stage.platform.lines().filter(({ text }) => text.includes('[CHAT] SERVER'));

async function endGame(): Promise<void> {
  const pid = stage.agent.starts().at(-1) ?? 0;
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'the end of the game server');
}

const askPlan = (request: Partial<Schemas['WipeRequest']> = {}) =>
  stage.platform.request('WipePlanAnswer', 'ask.wipe-plan', {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
    request: requestOf(request),
  });

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

const sorted = (names: string[]) => names.toSorted();
const oldFiles = () => filesOf().filter((name) => !name.endsWith('.sav.1'));

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

const recordFile = () => join(stage.agent.stateDirectory, 'instances', 'main', 'wipe.json');
const record = () => JSON.parse(readFileSync(recordFile(), 'utf8')) as Record<string, unknown>;
const rewrite = (changes: object) => writeFileSync(recordFile(), JSON.stringify({ ...record(), ...changes }));

describe('an agent that is killed', () => {
  /** It has a new world, the server runs, and nothing is left over. */
  async function expectWiped(id: string): Promise<void> {
    await untilWipe(id, 'completed');
    await until(() => !existsSync(asideOf(id)), 'that what was set aside is deleted');
    expect(existsSync(folder(newMap))).toBe(true);
    expect(existsSync(folder(oldMap))).toBe(false);
    expect(textOf('player.states.5.db')).not.toBe('played');
    expect(statusesOf(id).filter((status) => status === 'completed')).toHaveLength(1);
    expect(stage.agent.starts().filter(isAlive)).toHaveLength(1);
    expect(await stage.platform.run('stop')).toMatchObject({ status: 'succeeded' });
  }

  const fresh = { seed: 42, world_size: 4000 };

  test.each(['planned', 'announcing'] as const)('while it is %s continues it', async (status) => {
    await startPlayed();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ status, dueAtMs: Date.now() + 1_000 });
    await stage.startAgent();
    await expectWiped(id);
    expect(chat()).toHaveLength(1);
  });

  test('for too long after it was due does not begin it', async () => {
    await startPlayed();
    const before = filesOf();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ dueAtMs: Date.now() - 11 * 60_000 });
    await stage.startAgent();
    const failed = await untilWipe(id, 'failed');
    expect(failed).toMatchObject({ error_code: 'expired', detail: expect.stringContaining('11 minutes') });
    expect(filesOf()).toEqual(before);
    expect(stage.agent.starts()).toHaveLength(1);
    expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
  });

  test('while it is cancelled receives the cancellation before it begins', async () => {
    await startPlayed();
    const before = filesOf();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ dueAtMs: Date.now() - 1_000 });
    await stage.startAgent();
    expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
    await untilWipe(id, 'cancelled');
    expect(statusesOf(id)).not.toContain('stopping');
    expect(filesOf()).toEqual(before);
    expect(stage.agent.starts()).toHaveLength(1);
  });

  test('while the server is stopping stops it after all', async () => {
    await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
    const id = await begin(fresh);
    await untilWipe(id, 'stopping');
    await stage.platform.untilState('stopping');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(reportsOf(id).at(-1)?.status).toBe('stopping');
    await endGame();
    await untilWipe(id, 'completed');
    expect(existsSync(folder(newMap))).toBe(true);
  });

  test('while it backs up makes the backup again', async () => {
    await startPlayed({ isStopped: true });
    const large = folder('Log.Large.txt');
    writeFileSync(large, '');
    truncateSync(large, 4 * 1024 ** 3);
    const id = await begin({ ...fresh, backup: true, start: true });
    await untilWipe(id, 'backing_up');
    await stage.agent.end('SIGKILL');
    expect(record()).toMatchObject({ status: 'backing_up', hasBackup: false });
    truncateSync(large, 0);
    await stage.startAgent();
    await expectWiped(id);
    expect(readdirSync(join(stage.agent.stateDirectory, 'backups', 'main')).toSorted()).toEqual([
      `${id}.json`,
      `${id}.zip`,
    ]);
  });

  test('while it deletes takes the rest, and nothing twice', async () => {
    await startPlayed();
    for (const name of otherMaps) writeFileSync(folder(name), 'old');
    await startStoppingAgent();
    const id = await begin(fresh);
    await untilStopped();
    const moved = readdirSync(asideOf(id)).filter((name) => otherMaps.includes(name));
    await stage.agent.end('SIGKILL');
    expect(moved).toHaveLength(9);
    expect(record()).toMatchObject({ status: 'deleting' });
    await stage.startAgent();
    await expectWiped(id);
    expect(reportsOf(id).at(-1)).toMatchObject({ file_count: 9 + otherMaps.length });
  });

  test('while the server starts finds it, and deletes nothing again', async () => {
    await startPlayed({ more: ['--boot-ms', '3000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    await until(() => existsSync(folder(newSave)) && textOf(newSave) !== '', 'the new save');
    const created = textOf(newSave);
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await expectWiped(id);
    expect(textOf(newSave)).toBe(created);
    expect(stage.agent.starts()).toHaveLength(2);
  });

  test('for longer than the server may take to start gives it that time again', async () => {
    await startPlayed({ wipe_start_seconds: 6 });
    const id = await begin({ ...fresh, start: true });
    await untilWipe(id, 'starting');
    await stage.agent.end('SIGKILL');
    const endedMs = Date.now();
    await until(() => Date.now() > endedMs + 6_500, 'the end of the time to start');
    await stage.startAgent();
    await expectWiped(id);
  });

  test('before it could report the end reports it', async () => {
    await startPlayed();
    stage.platform.silent.add('wipe-status');
    const id = randomUUID();
    const args = { wipe_id: id, request: requestOf(fresh) };
    await stage.platform.send(stage.platform.command('wipe', 'main', { args }));
    await until(() => existsSync(recordFile()) && record()['status'] === 'completed', 'the end of the wipe');
    await stage.agent.end('SIGKILL');
    rewrite({ isTidy: false });
    stage.platform.silent.clear();
    await stage.startAgent();
    await expectWiped(id);
  });

  test('while it puts everything back does so to the end', async () => {
    await startPlayed({ more: ['--boot-ms', '3000'] });
    const before = oldFiles();
    const id = await begin({ seed: brokenSeed });
    await until(() => record()['failure'] !== null, 'the failure');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await untilWipe(id, 'rolled_back');
    expect(oldFiles()).toEqual(before);
    expect(textOf('player.states.5.db')).toBe('played');
    expect(existsSync(asideOf(id))).toBe(false);
    await stage.platform.untilState('running');
  });
});

describe('a record that can not be written', () => {
  const fresh = { seed: 42, world_size: 4000 };
  const block = () => mkdirSync(`${recordFile()}.new`);
  const free = () => rmdirSync(`${recordFile()}.new`);
  const isOverStatus = (status: Status) =>
    ['completed', 'failed', 'rolled_back', 'cancelled'].includes(status);
  const complaint = 'the result of a wipe cannot be recorded yet';

  /** It reports no result that the next agent would not know, and the next agent does not run the wipe again. */
  async function expectEnd(id: string, status: Status): Promise<void> {
    await stage.agent.untilOutput(complaint);
    expect(statusesOf(id).filter(isOverStatus)).toEqual([]);
    free();
    await untilWipe(id, status);
    await until(() => record()['isTidy'] === true, 'its last note');
    const starts = stage.agent.starts();
    const files = filesOf();
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    expect(await stage.platform.run('start')).toMatchObject({ status: 'succeeded' });
    expect(statusesOf(id).filter(isOverStatus)).toEqual([status]);
    expect(stage.agent.starts()).toEqual(starts);
    expect(filesOf()).toEqual(files);
    expect(starts.filter(isAlive)).toHaveLength(1);
  }

  async function expectPutBack(id: string, before: string[]): Promise<void> {
    await expectEnd(id, 'rolled_back');
    expect(oldFiles()).toEqual(before);
    expect(textOf('player.states.5.db')).toBe('played');
  }

  test('as the countdown ends', async () => {
    await startPlayed();
    const before = oldFiles();
    const id = await begin({ ...fresh, countdown_seconds: 3 });
    await until(() => chat().length === 1, 'the first announcement');
    block();
    await expectPutBack(id, before);
    expect(stage.agent.starts()).toHaveLength(1);
  });

  test('as it is cancelled', async () => {
    await startPlayed();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    block();
    const cancelling = cancel(id);
    await expectEnd(id, 'cancelled');
    await cancelling;
  });

  test('while the server is stopping', async () => {
    await startPlayed({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
    const before = oldFiles();
    const id = await begin(fresh);
    await untilWipe(id, 'stopping');
    block();
    await endGame();
    await until(() => stage.agent.starts().filter(isAlive).length === 1, 'the server again');
    await expectPutBack(id, before);
  });

  test('while it is backed up', async () => {
    await startPlayed();
    const before = oldFiles();
    const large = folder('Log.Large.txt');
    writeFileSync(large, '');
    truncateSync(large, 4 * 1024 ** 3);
    const id = await begin({ ...fresh, backup: true });
    await untilWipe(id, 'backing_up');
    block();
    rmSync(large);
    await expectPutBack(id, before);
  });

  test('while it deletes', async () => {
    await startPlayed();
    const before = oldFiles();
    const launch = join(stage.agent.stateDirectory, 'instances', 'main', 'launch.json.new');
    mkdirSync(launch); // which ends the step
    for (const name of otherMaps) writeFileSync(folder(name), '');
    await startStoppingAgent();
    const { id } = await send(fresh);
    await untilStopped();
    block();
    process.kill(stage.agent.pid, 'SIGCONT');
    await until(
      () => stage.agent.starts().filter(isAlive).length === 1 && !existsSync(asideOf(id)),
      'all back',
    );
    for (const name of otherMaps) rmSync(folder(name));
    await expectPutBack(id, before);
  });

  test('while the server starts, after which it is complete', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    block();
    await expectEnd(id, 'completed');
    expect(existsSync(folder(newMap))).toBe(true);
  });

  test('while everything is put back', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const before = oldFiles();
    const id = await begin({ seed: brokenSeed });
    await untilWipe(id, 'starting');
    block();
    await expectPutBack(id, before);
  });

  test('and an agent that is killed meanwhile keeps files that were restored and played on since', async () => {
    await startPlayed({ more: ['--boot-ms', '2000'] });
    const id = await begin({ seed: brokenSeed });
    await untilWipe(id, 'starting');
    block();
    await stage.agent.untilOutput(complaint);
    await stage.agent.end('SIGKILL');
    free();
    writeFileSync(folder('proceduralmap.3500.1337.262.sav.2'), 'later');
    await stage.startAgent();
    await untilWipe(id, 'rolled_back');
    expect(textOf('player.states.5.db')).toBe('played');
    expect(textOf('proceduralmap.3500.1337.262.sav.2')).toBe('later');
    await stage.platform.untilState('running');
  });
});

const onSmallDisk = canMountDisk() ? test : test.skip; // only who may mount file systems can fill one

onSmallDisk('a full disk ends a wipe once there is room to note so', async () => {
  const disk = join(stage.agent.stateDirectory, 'instances', 'main');
  mkdirSync(disk, { recursive: true });
  mountSmallDisk(disk, 256 * 1024);
  try {
    await startPlayed();
    const before = oldFiles();
    const id = await begin({ seed: 42, countdown_seconds: 5 });
    await until(() => chat().length === 1, 'the first announcement');
    const filler = join(disk, 'filler');
    for (const bytes of [4096, 1])
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(bytes));
      } catch {
        continue; // it is full
      }
    await stage.agent.untilOutput('the result of a wipe cannot be recorded yet');
    expect(statusesOf(id)).toEqual(['planned', 'announcing']);
    rmSync(filler);
    expect((await untilWipe(id, 'failed')).detail).toContain('The disk is full');
    expect(oldFiles()).toEqual(before);
    expect(stage.agent.starts().filter(isAlive)).toHaveLength(1);
    await stage.agent.end('SIGKILL');
  } finally {
    unmountSmallDisk(disk);
  }
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

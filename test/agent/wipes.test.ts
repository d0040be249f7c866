// Wipes of the simulated Rust server by a real agent: what goes, what stays, what is told, and what comes back.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { isAlive, Stage } from './support/agent.ts';
import type { InstanceSettings } from './support/agent.ts';
import { freePort, password, rustProgram, webrconAt } from './support/rcon.ts';

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

interface Options extends InstanceSettings {
  more?: string[];
  isStopped?: boolean;
}

/** The simulated server, running, with a world that somebody has played in. */
async function startRust({ more = [], isStopped = false, ...settings }: Options = {}): Promise<void> {
  const port = await freePort();
  const map = ['+server.identity', 'main', '+server.seed', '1337', '+server.worldsize', '3500'];
  const rcon = ['+rcon.port', String(port), '+rcon.password', password];
  stage.agent.configure([
    {
      program: rustProgram,
      args: [
        '--boot-ms',
        '60',
        '--play-ms',
        '0',
        '--broken-seed',
        String(brokenSeed),
        ...map,
        ...rcon,
        ...more,
      ],
      game: 'rust',
      ready_pattern: 'Server startup complete',
      stop: { command: 'quit' },
      ...webrconAt(stage, port),
      ...settings,
    },
  ]);
  await stage.startAgent();
  await stage.platform.run('start');
  await stage.platform.untilLine('RCON is connected');
  writeFileSync(folder('player.states.5.db'), 'as it was');
  if (isStopped) await stage.platform.run('stop');
}

function requestOf(request: Partial<Schemas['WipeRequest']> = {}): Schemas['WipeRequest'] {
  return { kind: 'map', countdown_seconds: 0, backup: false, start: false, ...request };
}

/** Sends the command and answers its result; the wipe goes on after that. */
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

const asideOf = (id: string) => folder(`.gantry-wipe-${id}`);
const textOf = (name: string) => readFileSync(folder(name), 'utf8');
const chat = () => stage.platform.lines().filter(({ text }) => text.includes('[CHAT] SERVER'));

const askPlan = (request: Partial<Schemas['WipeRequest']> = {}) =>
  stage.platform.request('WipePlanAnswer', 'ask.wipe-plan', {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
    request: requestOf(request),
  });

test('a map wipe takes the map and the world, keeps the rest, and starts with the new seed and size', async () => {
  await startRust();
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
  expect(textOf(newMap.replace('.map', '.sav')) > created).toBe(true);
  expect(textOf('player.states.5.db')).not.toBe('as it was');
  await stage.platform.run('restart');
  await until(
    () => stage.platform.lines().filter(({ text }) => text.includes('+server.seed 42')).length >= 2,
    'the new seed again',
  );
});

const sorted = (names: string[]) => names.toSorted();
const oldFiles = () => filesOf().filter((name) => !name.endsWith('.sav.1'));

test('blueprints, and all that a full wipe takes, go without the rest', async () => {
  await startRust();
  writeFileSync(folder('player.blueprints.5.db'), 'learned');
  const before = oldFiles();
  const blueprints = await begin({ kind: 'blueprints' });
  expect(await untilWipe(blueprints, 'completed')).toMatchObject({ file_count: 2 });
  expect(textOf('player.blueprints.5.db')).not.toBe('learned');
  expect(textOf('player.states.5.db')).toBe('as it was');
  for (const name of ['player.tokens.db', 'companion.id', 'Log.Death.txt'])
    writeFileSync(folder(name), 'kept');
  writeFileSync(folder('cfg', 'server.cfg'), 'kept');
  const full = await begin({ kind: 'full' });
  await untilWipe(full, 'completed');
  await until(() => !existsSync(asideOf(full)), 'that what was set aside is deleted');
  expect(oldFiles()).toEqual(before);
  expect(textOf('player.states.5.db')).not.toBe('as it was');
  for (const name of ['player.tokens.db', 'companion.id', 'Log.Death.txt', 'cfg/server.cfg'])
    expect(textOf(name)).toBe('kept');
});

test('a backup is made before, while the server is stopped', async () => {
  await startRust();
  const id = await begin({ backup: true });
  await untilWipe(id, 'completed');
  expect(statusesOf(id)).toEqual(['planned', 'stopping', 'backing_up', 'deleting', 'starting', 'completed']);
  expect(readdirSync(join(stage.agent.stateDirectory, 'backups', 'main'))).toContain(`${id}.zip`);
});

test('the countdown is announced in the chat at the right times, in words that are one command', async () => {
  await startRust();
  const id = await begin({ countdown_seconds: 11, message: 'New map in {time}, "quit" on {time}!' });
  const { due_at } = await untilWipe(id, 'announcing');
  await untilWipe(id, 'completed');
  const told = chat().map(({ at, text }) => ({
    text: text.replace('[CHAT] SERVER[0] : ', ''),
    seconds: Math.round((Date.parse(due_at ?? '') - Date.parse(at)) / 1_000),
  }));
  expect(told.map(({ text }) => text)).toEqual([
    'New map in 11 seconds, "quit" on 11 seconds!',
    'New map in 10 seconds, "quit" on 10 seconds!',
  ]);
  for (const { seconds } of told) expect(seconds).toBeGreaterThanOrEqual(8);
  const [stop] = reportsOf(id).filter(({ status }) => status === 'stopping');
  expect(Date.parse(stop?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(due_at ?? ''));
});

test('what would come in the way is refused during a wipe, which can be cancelled until it begins', async () => {
  await startRust();
  const [pid] = stage.agent.starts();
  const before = filesOf();
  const id = await begin({ countdown_seconds: 600 });
  await untilWipe(id, 'announcing');
  for (const verb of ['start', 'stop', 'restart'] as const)
    expect(await stage.platform.run(verb)).toMatchObject({ error_code: 'wipe_under_way' });
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'wipe_under_way' });
  expect((await send({ countdown_seconds: 600 }, id)).result).toMatchObject({ status: 'succeeded' });
  expect(await cancel(randomUUID())).toMatchObject({ error_code: 'wipe_begun' });
  expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
  await untilWipe(id, 'cancelled');
  expect(await cancel(id)).toMatchObject({ status: 'succeeded' });
  expect(filesOf()).toEqual(before);
  expect(stage.agent.starts()).toEqual([pid]);
  const next = await begin();
  await untilWipe(next, 'completed');
  expect(await cancel(next)).toMatchObject({ error_code: 'wipe_begun' });
  expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
});

test('a dry run names exactly what a wipe takes, and changes nothing', async () => {
  await startRust();
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
  await startRust();
  const before = oldFiles();
  const created = textOf(oldSave);
  const id = await begin({ seed: brokenSeed, backup: true });
  const report = await untilWipe(id, 'rolled_back');
  expect(report).toMatchObject({ error_code: 'start_failed' });
  expect(report.detail).toContain('The map could not be generated.');
  expect(oldFiles()).toEqual(before);
  expect([textOf(oldSave), textOf('player.states.5.db')]).toEqual([created, 'as it was']);
  await stage.platform.untilState('running');
  expect(stage.platform.lines().findLast(({ text }) => text.startsWith('Command Line'))?.text).toContain(
    '+server.seed 1337',
  );
  expect(await stage.platform.run('restart')).toMatchObject({ status: 'succeeded' });
});

test('a server that never answers with a new save is put back too', async () => {
  await startRust({ wipe_start_seconds: 2 });
  writeFileSync(join(stage.agent.directory, 'rcon-password'), 'wrong');
  await stage.platform.run('restart');
  const id = await begin();
  expect(await untilWipe(id, 'rolled_back')).toMatchObject({ error_code: 'start_timeout' });
  expect(textOf('player.states.5.db')).toBe('as it was');
});

test('a stopped server stays stopped unless it is to be started', async () => {
  await startRust({ isStopped: true });
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
  await startRust();
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
  await startRust({ isStopped: true });
  for (let turn = 0; turn < 12; turn += 1) {
    writeFileSync(folder(oldMap), Buffer.alloc(1_000_000));
    await untilWipe(await begin(), 'completed');
  }
});

test('other games, and save folders reached through links, are refused', async () => {
  await startRust({ game: 'minecraft' });
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'not_supported' });
  expect(await askPlan()).toMatchObject({ ok: false, error: { code: 'not_supported' } });
  await stage.agent.end();
  await startRust({ isStopped: true });
  renameSync(folder(), join(stage.agent.directory, 'elsewhere'));
  symlinkSync(join(stage.agent.directory, 'elsewhere'), folder());
  expect((await send()).result).toMatchObject({ status: 'failed', error_code: 'files_refused' });
  expect(readFileSync(join(stage.agent.directory, 'elsewhere', oldMap), 'utf8')).toBe('terrain');
});

describe('an agent that is killed', () => {
  const recordFile = () => join(stage.agent.stateDirectory, 'instances', 'main', 'wipe.json');
  const record = () => JSON.parse(readFileSync(recordFile(), 'utf8')) as Record<string, unknown>;
  const rewrite = (changes: object) =>
    writeFileSync(recordFile(), JSON.stringify({ ...record(), ...changes }));

  async function endGame(): Promise<void> {
    const pid = stage.agent.starts().at(-1) ?? 0;
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'the end of the game server');
  }

  /** It has a new world, the server runs, and nothing is left over. */
  async function expectWiped(id: string): Promise<void> {
    await untilWipe(id, 'completed');
    await until(() => !existsSync(asideOf(id)), 'that what was set aside is deleted');
    expect(existsSync(folder(newMap))).toBe(true);
    expect(existsSync(folder(oldMap))).toBe(false);
    expect(textOf('player.states.5.db')).not.toBe('as it was');
    expect(statusesOf(id).filter((status) => status === 'completed')).toHaveLength(1);
    expect(stage.agent.starts().filter(isAlive)).toHaveLength(1);
    expect(await stage.platform.run('stop')).toMatchObject({ status: 'succeeded' });
  }

  const fresh = { seed: 42, world_size: 4000 };

  test.each(['planned', 'announcing'] as const)('while it is %s goes on with it', async (status) => {
    await startRust();
    const id = await begin({ ...fresh, countdown_seconds: 600 });
    await until(() => chat().length === 1, 'the first announcement');
    await stage.agent.end('SIGKILL');
    rewrite({ status, dueAtMs: Date.now() + 1_000 });
    await stage.startAgent();
    await expectWiped(id);
    expect(chat()).toHaveLength(1);
  });

  test('while the server is stopping stops it after all', async () => {
    await startRust({ more: ['--stop-ms', '90000'], stop_grace_seconds: 60 });
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
    await startRust({ isStopped: true });
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
    await startRust({ more: ['--boot-ms', '2000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    await stage.agent.end('SIGKILL');
    await endGame();
    // As a kill within the moves leaves it: the start is not noted, and only some files are set aside.
    for (const name of filesOf()) if (name.startsWith('proceduralmap.4000')) rmSync(folder(name));
    const [half, ...moved] = sorted(readdirSync(asideOf(id)));
    expect(moved.length).toBeGreaterThan(2);
    renameSync(join(asideOf(id), half ?? ''), folder(half ?? ''));
    rewrite({ status: 'deleting', startDeadlineMs: null });
    rmSync(join(stage.agent.stateDirectory, 'instances', 'main', 'run.json'));
    await stage.startAgent();
    await expectWiped(id);
  });

  test('while the server starts finds it, and deletes nothing again', async () => {
    await startRust({ more: ['--boot-ms', '3000'] });
    const id = await begin(fresh);
    await untilWipe(id, 'starting');
    await until(() => existsSync(folder(newMap)), 'the new map');
    const created = textOf(newMap.replace('.map', '.sav'));
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await expectWiped(id);
    expect(textOf(newMap.replace('.map', '.sav'))).toBe(created);
    expect(stage.agent.starts()).toHaveLength(2);
  });

  test('before it could tell the end tells it', async () => {
    await startRust();
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
    await startRust({ more: ['--boot-ms', '3000'] });
    const before = oldFiles();
    const id = await begin({ seed: brokenSeed });
    await until(() => record()['failure'] !== null, 'the failure');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await untilWipe(id, 'rolled_back');
    expect(oldFiles()).toEqual(before);
    expect(textOf('player.states.5.db')).toBe('as it was');
    expect(existsSync(asideOf(id))).toBe(false);
    await stage.platform.untilState('running');
  });
});

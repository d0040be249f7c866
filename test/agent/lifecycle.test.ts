// Starting, stopping and crashing: what an operator sees of game servers, through a real agent and a real bus.
import { statSync } from 'node:fs';
import { until } from '../support/until.ts';
import { Stage, isAlive } from './support/agent.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  stage.agent.configure([
    { game: 'rust' },
    { name: 'by-command', stop: { command: 'quit' }, args: ['deaf'] },
    { name: 'stubborn', args: ['deaf', 'child'], stop_grace_seconds: 0.3 },
    { name: 'hung', args: ['deaf'], stop_grace_seconds: 600, restart: { backoff_seconds: 0.1 } },
    { name: 'parent', args: ['child'], restart: { backoff_seconds: 0.1 }, stop_grace_seconds: 1 },
    { name: 'failing', args: ['fail'] },
    { name: 'absent', command: './no-such-server' },
    { name: 'nowhere', cwd: './no-such-directory' },
    { name: 'crashing', restart: { max_attempts: 3, backoff_seconds: 0.1 } },
    { name: 'patient', restart: { backoff_seconds: 30 } },
    { name: 'slow', ready_after_seconds: 600, ready_pattern: 'never printed' },
    { name: 'with-ready-line', ready_after_seconds: 600 },
    { name: 'automatic', autostart: true },
  ]);
  await stage.startAgent();
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

const statesSeen = (instance?: string) => stage.platform.statesOf(instance).map(({ state }) => state);

test('starts, restarts and stops a server, and reports each change', async () => {
  const { agent, platform } = stage;
  const started = await platform.run('start');
  const [first = 0] = agent.starts();
  expect(started).toMatchObject({ status: 'succeeded', detail: `The process runs with pid ${first}.` });
  expect(await platform.run('start')).toMatchObject({ status: 'succeeded', detail: 'already running' });
  expect(agent.starts()).toHaveLength(1);

  const restarted = await platform.run('restart');
  const [, second = 0] = agent.starts();
  expect(restarted.detail).toContain('The process ended with exit code 0, asked by SIGTERM.');
  expect(restarted.detail).toContain(`pid ${second}`);
  expect([isAlive(first), isAlive(second)]).toEqual([false, true]);

  expect(await platform.run('stop')).toMatchObject({ status: 'succeeded' });
  expect(await platform.run('stop')).toMatchObject({ status: 'succeeded', detail: 'already stopped' });
  expect(isAlive(second)).toBe(false);
  const round = ['starting', 'running', 'stopping', 'stopped'];
  expect(statesSeen()).toEqual([...round, ...round]);
  expect(platform.statesOf().map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(platform.statesOf().at(-1)).toMatchObject({ exit_code: 0, signal: null });
});

test('reports host and instances in heartbeats', async () => {
  const { platform } = stage;
  await platform.run('start');
  const report = await until(() => {
    const main = platform.heartbeats.at(-1)?.instances.find(({ name }) => name === 'main');
    return main?.cpu_percent !== undefined && main;
  }, 'a heartbeat with the process');
  expect(report).toMatchObject({ name: 'main', game: 'rust', state: 'running' });
  expect(report.memory_bytes).toBeGreaterThan(10_000_000);
  const host = platform.heartbeats.at(-1)?.host;
  expect(host?.memory_total_bytes).toBeGreaterThan(host?.memory_used_bytes ?? 0);
  expect(host?.disk_total_bytes).toBeGreaterThan(0);
  expect(platform.heartbeats.map(({ seq }) => seq)).toEqual(platform.heartbeats.map((_, index) => index + 1));
});

test('stops by a console command', async () => {
  const { platform } = stage;
  await platform.run('start', 'by-command');
  await platform.untilLine('started', 'by-command');
  expect(await platform.run('stop', 'by-command')).toMatchObject({
    status: 'succeeded',
    detail: 'The process ended with exit code 0, asked by the command "quit".',
  });
});

test('kills a server and its children when it does not stop within its grace', async () => {
  const { agent, platform } = stage;
  await platform.run('start', 'stubborn');
  const child = Number((await platform.untilLine('child ', 'stubborn')).text.split(' ')[1]);
  expect(await platform.run('stop', 'stubborn')).toMatchObject({
    status: 'succeeded',
    detail: 'Ended by SIGKILL: it did not end within 0.3 s, asked by SIGTERM.',
  });
  expect([child, ...agent.starts('stubborn')].map(isAlive)).toEqual([false, false]);
  expect(platform.statesOf('stubborn').at(-1)).toMatchObject({ state: 'stopped', signal: 'SIGKILL' });
});

test('kills a server at once when it is forced to, also while a stop waits for it', async () => {
  const { agent, platform } = stage;
  await platform.run('start', 'hung');
  const [pid = 0] = agent.starts('hung');
  const stop = platform.run('stop', 'hung');
  await until(() => platform.statesOf('hung').at(-1)?.state === 'stopping', 'the stop');
  expect(await platform.run('stop', 'hung', { force: true })).toMatchObject({
    status: 'succeeded',
    detail: 'Ended by SIGKILL on request.',
  });
  expect(await stop).toMatchObject({
    status: 'succeeded',
    detail: 'The process ended by SIGKILL, asked by SIGTERM.',
  });
  expect(isAlive(pid)).toBe(false);

  await platform.run('start', 'hung');
  expect(await platform.run('stop', 'hung', { force: true })).toMatchObject({ status: 'succeeded' });
  expect(await platform.run('stop', 'hung', { force: true })).toMatchObject({ detail: 'already stopped' });
  const round = ['starting', 'running', 'stopping', 'stopped'];
  expect(statesSeen('hung')).toEqual([...round, ...round]);
});

test('ends what a crashed server leaves behind before it starts another', async () => {
  const { agent, platform } = stage;
  await platform.run('start', 'parent');
  const child = Number((await platform.untilLine('child ', 'parent')).text.split(' ')[1]);
  await platform.type('exit 1', { instance: 'parent' });
  await until(() => agent.starts('parent').length === 2, 'the restart');
  expect(isAlive(child)).toBe(false);
});

test('a start that fails says why', async () => {
  const { agent, platform } = stage;
  const names = ['failing', 'absent', 'nowhere'];
  const [failing, absent, nowhere] = await Promise.all(names.map((name) => platform.run('start', name)));
  expect(failing).toMatchObject({ status: 'failed', error_code: 'start_failed' });
  expect(failing?.detail).toMatch(/exit code 3 after \d+\.\d s.*no such map/);
  expect(absent).toMatchObject({ status: 'failed', error_code: 'start_failed' });
  expect(absent?.detail).toContain('./no-such-server was not found');
  expect(nowhere?.detail).toMatch(/working directory .*no-such-directory does not exist/);
  expect(names.map((name) => statesSeen(name))).toEqual(names.map(() => ['starting', 'crashed']));
  expect(agent.starts('failing')).toHaveLength(1);
});

test('restarts a crashed server with growing pauses and gives up in the end', async () => {
  const { agent, platform } = stage;
  const instance = 'crashing';
  await platform.run('start', instance);
  for (const attempt of [1, 2, 3]) {
    await platform.untilLine(`started ${agent.starts(instance).at(-1)}`, instance);
    await platform.untilState('running', instance);
    await platform.type('exit 7', { instance });
    await until(() => agent.starts(instance).length === attempt + 1, `restart ${attempt}`);
  }
  await platform.untilLine(`started ${agent.starts(instance).at(-1)}`, instance);
  await platform.untilState('running', instance);
  await platform.type('abort', { instance });
  const crashes = await until(() => {
    const found = platform.statesOf(instance).filter(({ state }) => state === 'crashed');
    return found.length === 4 && found;
  }, 'giving up');
  expect(crashes.at(-1)).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  expect(crashes.map(({ reason = '' }) => /in ([\d.]+) s|used up/.exec(reason)?.slice(0, 2))).toEqual([
    ['in 0.1 s', '0.1'],
    ['in 0.2 s', '0.2'],
    ['in 0.4 s', '0.4'],
    ['used up', undefined],
  ]);
  expect(await platform.run('start', instance)).toMatchObject({ status: 'succeeded' });
  expect(agent.starts(instance)).toHaveLength(5);
});

test('a stop takes back a restart that is due', async () => {
  const { agent, platform } = stage;
  await platform.run('start', 'patient');
  await platform.untilLine('started', 'patient');
  await platform.type('exit 1', { instance: 'patient' });
  await platform.untilState('crashed', 'patient');
  expect(await platform.run('stop', 'patient')).toMatchObject({ status: 'succeeded' });
  await platform.untilState('stopped', 'patient');
  expect(agent.starts('patient')).toHaveLength(1);
});

test('a stop does not wait for a slow start', async () => {
  const { platform } = stage;
  const start = platform.command('start', 'slow');
  await platform.send(start);
  await platform.untilLine('started', 'slow');
  expect(await platform.run('stop', 'slow')).toMatchObject({ status: 'succeeded' });
  expect((await platform.resultOf(start.id)).detail).toContain('not ready yet');
});

test('a printed pattern makes a server ready at once', async () => {
  expect(await stage.platform.run('start', 'with-ready-line')).toMatchObject({ status: 'succeeded' });
  expect(statesSeen('with-ready-line')).toEqual(['starting', 'running']);
});

test('keeps its secrets from other users and from the servers', async () => {
  const { agent, platform } = stage;
  expect(statSync(`${agent.stateDirectory}/agent.nk`).mode & 0o777).toBe(0o600);
  await platform.untilState('running', 'automatic');
  await platform.type('env GANTRY_COMPANION_TOKEN', { instance: 'automatic' });
  await platform.untilLine('env null', 'automatic');
});

test('says goodbye on SIGTERM; servers run on, and what was stopped stays so', async () => {
  const { agent, platform } = stage;
  await platform.run('stop', 'automatic');
  expect(await agent.end('SIGTERM')).toBe(0);
  expect(platform.byes).toMatchObject([{ reason: 'shutdown' }]);
  expect(agent.starts().map(isAlive).at(-1)).toBe(true);
  await stage.startAgent();
  const beat = await until(
    () => platform.heartbeats.findLast(({ boot }) => boot === platform.hellos.at(-1)?.boot),
    'a heartbeat of the new agent',
  );
  const states = new Map(beat.instances.map(({ name, state }) => [name, state]));
  expect([states.get('main'), states.get('automatic')]).toEqual(['running', 'stopped']);
  expect(agent.starts('automatic')).toHaveLength(1);
});

// Game servers outlive the agent: however it is killed, its successor finds the same process and starts no second one.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Stage, isAlive } from './support/agent.ts';
import type { InstanceSettings } from './support/agent.ts';

let stage: Stage;

async function open(instances: InstanceSettings[]): Promise<void> {
  stage = await Stage.open();
  stage.agent.configure(instances);
  await stage.startAgent();
}
afterEach(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

const fileOf = (instance: string, name: string) =>
  join(stage.agent.stateDirectory, 'instances', instance, name);
const recordFile = (instance = 'main') => fileOf(instance, 'run.json');
const record = (instance?: string) =>
  JSON.parse(readFileSync(recordFile(instance), 'utf8')) as Record<string, unknown>;

async function restartAgent(): Promise<void> {
  await stage.agent.end('SIGKILL');
  await stage.startAgent();
}

test('a killed agent finds its servers again, and their consoles continue', async () => {
  await open([{ args: ['ticking'] }, { name: 'quiet' }]);
  const { agent, platform } = stage;
  await Promise.all([platform.run('start'), platform.run('start', 'quiet')]);
  const [pid = 0] = agent.starts();
  const [quiet = 0] = agent.starts('quiet');
  await platform.untilLine('tick 5');
  const boot = platform.batches.find(({ batch }) => batch.instance === 'main')?.batch.boot;
  await agent.end('SIGKILL');
  const ticksBefore = platform.lines().length;
  await stage.startAgent();
  await until(() => platform.lines().length > ticksBefore + 20, 'more ticks');

  expect([agent.starts(), agent.starts('quiet')]).toEqual([[pid], [quiet]]);
  expect([pid, quiet].map(isAlive)).toEqual([true, true]);
  expect(platform.batches.every(({ batch }) => batch.instance !== 'main' || batch.boot === boot)).toBe(true);
  const lines = platform.lines();
  const textOf = new Map(lines.map(({ seq, text }) => [seq, text]));
  expect(lines.every(({ seq, text }) => textOf.get(seq) === text)).toBe(true);
  const ticks = lines.map(({ text }) => Number(/^tick (\d+)$/.exec(text)?.[1] ?? 0));
  expect(ticks.at(-1)).toBeGreaterThan(20);
  expect(platform.statesOf().map(({ state }) => state)).toEqual(['starting', 'running']);

  await platform.type('hello again', { instance: 'quiet' });
  await platform.untilLine('you said hello again', 'quiet');
  expect(await platform.run('start')).toMatchObject({ detail: 'already running' });
  expect(await platform.run('stop')).toMatchObject({ status: 'succeeded' });
  expect(isAlive(pid)).toBe(false);
  expect(platform.statesOf().at(-1)).toMatchObject({ state: 'stopped', exit_code: null });
});

test('finds a process that was never noted, and one whose record is lost', async () => {
  await open([{ autostart: true }, { name: 'lost', autostart: true }]);
  const { agent, platform } = stage;
  await Promise.all([platform.untilState('running'), platform.untilState('running', 'lost')]);
  await agent.end('SIGKILL');
  writeFileSync(recordFile(), JSON.stringify({ ...record(), pid: null, mark: null, state: 'starting' }));
  rmSync(fileOf('main', 'console.json')); // as if the agent had died between the spawn and its note of it
  rmSync(recordFile('lost'));
  await stage.startAgent();
  expect(await platform.run('start')).toMatchObject({ detail: 'already running' });
  expect(await platform.run('start', 'lost')).toMatchObject({ detail: 'already running' });
  expect([agent.starts(), agent.starts('lost')]).toMatchObject([[expect.any(Number)], [expect.any(Number)]]);
  expect(await platform.run('stop', 'lost')).toMatchObject({ status: 'succeeded' });
  expect(agent.starts('lost').map(isAlive)).toEqual([false]);
});

test('a server that ended while no agent ran is seen to have crashed, and its last words are kept', async () => {
  await open([{ restart: { backoff_seconds: 0.1 } }, { name: 'left', restart: { on_crash: false } }]);
  const { agent, platform } = stage;
  await Promise.all([platform.run('start'), platform.run('start', 'left')]);
  await agent.end('SIGKILL');
  for (const pid of agent.allStarts()) process.kill(pid, 'SIGTERM');
  await until(() => !agent.allStarts().some(isAlive), 'the end of the servers');
  await stage.startAgent();
  await until(() => agent.starts().length === 2, 'the restart');
  expect(await platform.untilState('crashed', 'left')).toMatchObject({ exit_code: null });
  const tail = await platform.tail({ instance: 'left' });
  expect(tail.lines?.map(({ text }) => text)).toContain('saving');
});

test('does not take another process with the same pid for its own', async () => {
  await open([{}]);
  const { agent, platform } = stage;
  await platform.run('start');
  const [pid = 0] = agent.starts();
  await agent.end('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'the end of the server');
  writeFileSync(recordFile(), JSON.stringify({ ...record(), pid: process.pid }));
  await stage.startAgent();
  await until(() => agent.starts().length === 2, 'the restart');
  expect(isAlive(process.pid)).toBe(true);
});

test('an accepted command that was not begun is carried out by the next agent, once', async () => {
  await open([{ args: ['deaf'], stop_grace_seconds: 60 }]);
  const { agent, platform } = stage;
  await platform.run('start');
  await platform.untilLine('started');
  const [stop, start] = [platform.command('stop'), platform.command('start')];
  const late = platform.command('restart', 'main', {
    expires_at: new Date(Date.now() + 3_000).toISOString(),
  });
  for (const command of [stop, start, late])
    expect(await platform.send(command)).toMatchObject({ accepted: true });
  await platform.untilLine('I hear nothing');
  await agent.end('SIGKILL'); // within the stop; the others wait behind it
  for (const pid of agent.starts()) process.kill(pid, 'SIGKILL');
  await until(
    () => !agent.starts().some(isAlive) && Date.now() > Date.parse(late.expires_at),
    'the end of the server',
  );
  await stage.startAgent();
  expect(await platform.resultOf(stop.id)).toMatchObject({ status: 'succeeded' });
  expect(await platform.resultOf(start.id)).toMatchObject({ status: 'succeeded' });
  expect(await platform.resultOf(late.id)).toMatchObject({ status: 'failed', error_code: 'expired' });
  expect(await platform.send(start)).toMatchObject({ accepted: true });
  // The restart that came too late ended the wait for readiness; this start waits for it, or finds it reached.
  expect(await platform.run('start')).toMatchObject({ status: 'succeeded' });
  expect(await platform.run('start')).toMatchObject({ detail: 'already running' });
  expect(agent.starts()).toHaveLength(2);
});

test('a stop that was under way is judged interrupted, and still ends the server', async () => {
  await open([{ args: ['deaf'], stop_grace_seconds: 1.5 }]);
  const { agent, platform } = stage;
  await platform.run('start');
  await platform.untilLine('started');
  const stop = platform.command('stop');
  await platform.send(stop);
  await platform.untilLine('I hear nothing');
  await restartAgent();
  expect(await platform.resultOf(stop.id)).toMatchObject({ status: 'failed', error_code: 'interrupted' });
  await platform.untilState('stopped');
  expect(agent.starts().map(isAlive)).toEqual([false]);
});

test('a start that was under way is judged by whether the process runs', async () => {
  await open([{ ready_after_seconds: 30, ready_pattern: 'never printed' }]);
  const { agent, platform } = stage;
  const start = platform.command('start');
  await platform.send(start);
  await platform.untilLine('started');
  await restartAgent();
  expect(await platform.resultOf(start.id)).toMatchObject({
    status: 'succeeded',
    detail: `The process runs with pid ${agent.starts()[0]}.`,
  });
  expect(agent.starts()).toHaveLength(1);
});

test('a result that was not taken is sent by the next agent, and the command is not repeated', async () => {
  await open([{}]);
  const { agent, platform } = stage;
  platform.silent.add('command-result').add('instance-state');
  const start = platform.command('start');
  await platform.send(start);
  await until(() => agent.journal().includes('"finished"'), 'the result in the journal');
  await agent.end('SIGKILL');
  platform.silent.clear();
  await stage.startAgent();
  expect(await platform.resultOf(start.id)).toMatchObject({ status: 'succeeded' });
  expect(platform.statesOf().map(({ state }) => state)).toEqual(['starting', 'running']);
  expect(agent.starts()).toHaveLength(1);
});

test('a torn journal and a torn outbox do not hinder the next agent', async () => {
  await open([{}]);
  const { agent, platform } = stage;
  const start = platform.command('start');
  await platform.send(start);
  await platform.resultOf(start.id);
  await agent.end('SIGKILL');
  for (const name of ['journal.jsonl', 'outbox.jsonl']) {
    const file = join(agent.stateDirectory, name);
    writeFileSync(file, `${existsSync(file) ? readFileSync(file, 'utf8') : ''}{"is":"acc`);
  }
  await stage.startAgent();
  expect(await platform.send(start)).toMatchObject({ accepted: true });
  expect(await platform.run('restart')).toMatchObject({ status: 'succeeded' });
  expect(agent.starts()).toHaveLength(2);
});

test('killed at any moment, an agent gives each command one truth and each instance one process', async () => {
  await open([{ ready_after_seconds: 0.05, ready_pattern: 'never printed' }]);
  const { agent, platform } = stage;
  for (let round = 0; round < 6; round += 1) {
    const command = platform.command(round % 2 === 0 ? 'restart' : 'start');
    const sent = platform.send(command).catch(() => null); // the agent may die before it replies
    await until(() => agent.journal().includes(command.id), 'the command in the journal');
    await new Promise((resolve) => setTimeout(resolve, round * 12)); // another moment each time, not a wait for anything
    await restartAgent();
    await sent;
    const result = await platform.resultOf(command.id);
    expect(agent.starts().filter(isAlive).length).toBeLessThanOrEqual(1);
    const verdicts = platform.results.filter(({ command_id }) => command_id === command.id);
    expect(new Set(verdicts.map(({ status }) => status))).toEqual(new Set([result.status]));
  }
  expect(await platform.run('start')).toMatchObject({ status: 'succeeded' });
  await until(() => agent.starts().filter(isAlive).length === 1, 'the one process to have said that it runs');
  expect(agent.starts().length).toBeLessThanOrEqual(7);
});

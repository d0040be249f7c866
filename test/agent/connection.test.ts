// The way to the platform: nothing that counts is lost while it is closed, and credentials are renewed in time.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Stage, isAlive } from './support/agent.ts';

let stage: Stage;

/** Credentials that are renewed after two thirds of a second. */
const shortLived = () => ({ jwt: 'e30.e30.e30', expiresAt: new Date(Date.now() + 1_000) });

afterEach(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

test('what happens while the bus is away arrives once it is back, in order', async () => {
  stage = await Stage.open();
  const { agent, nats, platform } = stage;
  agent.configure([
    { restart: { backoff_seconds: 0.1 } },
    { name: 'stopping', args: ['deaf'], stop_grace_seconds: 1 },
  ]);
  await stage.startAgent();
  await platform.run('start');
  await platform.run('start', 'stopping');
  await platform.untilLine('started', 'stopping');
  const [stop] = [platform.command('stop', 'stopping')];
  await platform.send(stop);
  await nats.stop();
  const [pid = 0] = agent.starts();
  process.kill(pid, 'SIGKILL');
  await until(() => agent.starts().length === 2, 'the restart');
  await until(
    () => agent.journal().includes('"finished"') && !agent.starts('stopping').some(isAlive),
    'the stop',
  );
  await nats.start();
  expect(await platform.resultOf(stop.id)).toMatchObject({ status: 'succeeded' });
  await platform.untilState('running');
  expect(platform.statesOf().map(({ state }) => state)).toEqual([
    'starting',
    'running',
    'crashed',
    'starting',
    'running',
  ]);
  expect(platform.statesOf('stopping').at(-1)).toMatchObject({ state: 'stopped', signal: 'SIGKILL' });
  expect(platform.hellos.length).toBeGreaterThanOrEqual(2);
});

test('waits for a platform that is not there, hangs or fails, and meanwhile supervises', async () => {
  stage = await Stage.open();
  const { agent, platform } = stage;
  agent.configure([{ autostart: true }]);
  platform.refusals.push(503);
  platform.silent.add('hello');
  stage.launchAgent();
  await until(() => agent.starts().length === 1, 'the autostart');
  await until(() => platform.sessions.length === 1, 'the second attempt');
  platform.silent.clear();
  await platform.untilState('running');
  expect(agent.output).toContain('the platform grants no session (status 503, unauthenticated, Refused)');
});

test('says clearly that its token is refused, and does not hammer', async () => {
  stage = await Stage.open();
  stage.agent.configure([]);
  stage.platform.refusals.push(401, 401, 401);
  stage.launchAgent();
  await stage.agent.untilOutput('check GANTRY_COMPANION_TOKEN');
  expect(Number(/"retry_in_ms":(\d+)/.exec(stage.agent.output)?.[1])).toBeGreaterThan(45_000);
  expect(stage.platform.refusals).toHaveLength(2);
  expect(await stage.agent.end('SIGTERM')).toBe(0);
});

test('names the token file that is refused, and reports each refusal once, without stack traces', async () => {
  stage = await Stage.open();
  const { agent, platform } = stage;
  agent.configure([], { token_file: 'companion-token' });
  writeFileSync(join(agent.directory, 'companion-token'), 'a token of yesterday\n'.replaceAll(' ', '-'));
  stage.launchAgent({ environment: { GANTRY_COMPANION_TOKEN: '' } });
  await agent.untilOutput(`check token_file ${join(agent.directory, 'companion-token')}`);
  expect(agent.output).not.toContain('GANTRY_COMPANION_TOKEN');
  expect(agent.output).not.toContain('a-token-of-yesterday');
  expect(agent.output).not.toMatch(/\\n +at /);
  expect(platform.sessions).toEqual([]);
});

test('reads its token file before each session, so that a rotation needs no restart', async () => {
  stage = await Stage.open({ mint: shortLived });
  const { agent, platform } = stage;
  const file = join(agent.directory, 'companion-token');
  agent.configure([], { token_file: 'companion-token' });
  writeFileSync(file, `${platform.token}\n`);
  await stage.startAgent({ environment: { GANTRY_COMPANION_TOKEN: '' } });
  platform.token = 'the-next-token';
  writeFileSync(file, 'the-next-token\n');
  const before = platform.sessions.length;
  await until(() => platform.sessions.length > before, 'a session with the new token');
  rmSync(file);
  await agent.untilOutput(`token_file ${file}: ENOENT`);
  writeFileSync(file, 'the-next-token\n');
  const without = platform.sessions.length;
  await until(() => platform.sessions.length > without, 'a session once the file is back');
  expect(agent.output).not.toContain('refuses the companion token');
});

test('a presence request gets a reply', async () => {
  stage = await Stage.open();
  const { agent, platform } = stage;
  agent.configure([{}]);
  await stage.startAgent();
  const host_id = platform.hostId;
  expect(await platform.request('PresenceReply', 'ask.presence', { v: 1, host_id })).toEqual({
    v: 1,
    ok: true,
  });
  expect(await platform.request('PresenceReply', 'ask.presence', { v: 1 })).toMatchObject({ ok: false });
});

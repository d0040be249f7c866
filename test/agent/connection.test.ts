// The way to the platform: nothing that counts is lost while it is closed, and credentials are renewed in time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtAuthenticator } from '@nats-io/transport-node';
import {
  UserJwtSigner,
  createBusKeys,
  createConnectionKey,
  serverConfiguration,
} from '../../src/bus/keys.ts';
import { until } from '../support/until.ts';
import { Stage, isAlive } from './support/agent.ts';
import { NatsServer } from './support/nats-server.ts';

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

test('follows a platform whose bus has moved', async () => {
  stage = await Stage.open();
  const { agent, nats, platform } = stage;
  agent.configure([{}]);
  await stage.startAgent();
  await nats.stop();
  const elsewhere = mkdtempSync(join(tmpdir(), 'gantry-agent-nats-'));
  const moved = await NatsServer.start(elsewhere);
  try {
    platform.natsUrl = moved.url;
    await platform.join();
    await until(() => platform.hellos.length === 2, 'hello at the new place');
    expect(await platform.run('start')).toMatchObject({ status: 'succeeded' });
  } finally {
    await moved.stop();
    rmSync(elsewhere, { recursive: true });
  }
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

test('reports a bus that is away once, without stack traces, and that it is back', async () => {
  stage = await Stage.open();
  const { agent, nats, platform } = stage;
  agent.configure([]);
  await nats.stop();
  stage.launchAgent();
  await until(() => platform.sessions.length >= 3, 'three sessions in vain');
  await nats.start();
  await until(() => platform.hellos.length === 1, 'hello');
  await agent.untilOutput('connected to the bus');
  expect(agent.output.match(/the bus cannot be reached/g)).toHaveLength(1);
  expect(agent.output).not.toMatch(/\\n +at /);
});

test('makes itself another key when its own is known as that of another host, and keeps it', async () => {
  stage = await Stage.open();
  const { agent, platform } = stage;
  agent.configure([]);
  await stage.startAgent();
  const former = platform.sessions.at(-1)?.['public_key'];
  await agent.end();
  platform.takenKeys.add(former);
  await stage.startAgent();
  const later = platform.sessions.at(-1)?.['public_key'];
  expect(later).not.toBe(former);
  await agent.end();
  await stage.startAgent();
  expect(platform.sessions.at(-1)?.['public_key']).toBe(later);
  expect(agent.output.match(/a new key is created/g)).toHaveLength(1);
});

test('says that its name is taken, and keeps its key for when it may have it', async () => {
  stage = await Stage.open();
  const { agent, platform } = stage;
  agent.configure([]);
  await stage.startAgent();
  const key = platform.sessions.at(-1)?.['public_key'];
  await agent.end();
  platform.refusals.push('hostname_taken');
  stage.launchAgent();
  await agent.untilOutput('status 409, hostname_taken');
  expect(await agent.end()).toBe(0);
  await stage.startAgent();
  expect(platform.sessions.at(-1)?.['public_key']).toBe(key);
});

test('renews credentials that live for seconds, under the permissions that the platform grants', async () => {
  const keys = createBusKeys();
  const directory = mkdtempSync(join(tmpdir(), 'gantry-agent-jwt-'));
  const own = createConnectionKey();
  const platformJwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('platform', own.publicKey, {
    subs: -1,
    data: -1,
    payload: -1,
  });
  const agents = new UserJwtSigner(keys.agentSigning, keys.account);
  const lifeMs = 4_000;
  stage = await Stage.open({
    natsConfiguration: await serverConfiguration(keys, 'gantry', directory),
    connection: { authenticator: jwtAuthenticator(platformJwt, own.seed) },
    mint: (hostId, publicKey) => {
      const expiresAt = new Date(Date.now() + lifeMs);
      return { jwt: agents.mint(hostId, publicKey, { tags: [`host:${hostId}`] }, expiresAt), expiresAt };
    },
  });
  const { agent, platform } = stage;
  agent.configure([{ args: ['ticking'] }]);
  await stage.startAgent();
  expect(await platform.run('start')).toMatchObject({ status: 'succeeded' });
  const sinceMs = Date.now();
  await until(() => platform.sessions.length >= 3, 'two renewals');
  await until(() => Date.now() - sinceMs > lifeMs, 'the end of the first credentials');
  expect(new Set(platform.sessions.map((session) => session['public_key'])).size).toBe(1);
  await platform.untilLine('tick');
  expect(await until(() => platform.type('still there').catch(() => undefined), 'a reply')).toEqual({
    v: 1,
    ok: true,
  });
  expect(await platform.run('stop')).toMatchObject({ status: 'succeeded' });
  expect(agent.output).not.toContain('refuses');
  expect(await agent.end('SIGTERM')).toBe(0);
  expect(platform.byes).toHaveLength(1);
  rmSync(directory, { recursive: true, force: true });
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

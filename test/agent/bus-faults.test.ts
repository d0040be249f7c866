// Connections to the bus that fail, move or expire, and the agent's key for them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtAuthenticator } from '@nats-io/transport-node';
import { UserJwtSigner, createBusKeys, serverConfiguration } from '../../src/bus/keys.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { NatsServer } from './support/nats-server.ts';
import { createUserKey } from '../../shared/nkeys.ts';

let stage: Stage;

afterEach(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
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
  const own = createUserKey();
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

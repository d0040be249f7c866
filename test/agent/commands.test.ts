// Which commands an agent takes: its own, valid, in time, and each only once.
import { randomUUID } from 'node:crypto';
import { Stage } from './support/agent.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  stage.agent.configure([{}]);
  await stage.startAgent();
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

test('a repeated command is accepted again and carried out once', async () => {
  const { agent, platform } = stage;
  const restart = platform.command('restart');
  const replies = await Promise.all([platform.send(restart), platform.send(restart), platform.send(restart)]);
  expect(replies.map(({ accepted }) => accepted)).toEqual([true, true, true]);
  await platform.resultOf(restart.id);
  expect(await platform.send({ ...restart, expires_at: new Date(0).toISOString() })).toMatchObject({
    accepted: true,
  });
  await platform.run('start');
  expect(agent.starts()).toHaveLength(1);
  expect(platform.results.filter(({ command_id }) => command_id === restart.id)).toHaveLength(1);
});

test('a command is in the journal before its reply', async () => {
  const { agent, platform } = stage;
  const start = platform.command('start');
  await platform.send(start);
  expect(agent.journal()).toContain(start.id);
});

test.each([
  ['expired', 'expired', () => ({ expires_at: new Date(Date.now() - 1000).toISOString() })],
  ['for another host', 'invalid', () => ({ host_id: randomUUID() })],
  ['for an unknown instance', 'unknown_instance', () => ({ instance: 'other' })],
  ['with another verb than its subject', 'invalid', () => ({ verb: 'stop' as const })],
  ['of a later version', 'invalid', () => ({ v: 2 as 1 })],
])('refuses a command %s', async (_what, reason, overrides) => {
  const { agent, platform } = stage;
  const command = platform.command('restart', 'main', overrides());
  expect(await platform.send(command, 'restart')).toMatchObject({ id: command.id, accepted: false, reason });
  expect(agent.journal()).not.toContain(command.id);
});

test('refuses verbs that it does not know, and what is no command at all', async () => {
  const { platform } = stage;
  expect(await platform.send(platform.command('start'), 'explode')).toMatchObject({
    accepted: false,
    reason: 'not_supported',
  });
  const nonsense = await platform.request('CommandReply', 'cmd.start', '{"id":');
  expect(nonsense).toMatchObject({ accepted: false, reason: 'invalid' });
  expect(nonsense).not.toHaveProperty('id');
  const { id } = platform.command('start');
  const known = await platform.request('CommandReply', 'cmd.start', { id, verb: 'start' });
  expect(known).toMatchObject({ id, accepted: false, reason: 'invalid' });
});

test('takes no notice of a command on the subject of another host', async () => {
  const { agent, platform } = stage;
  const command = platform.command('restart');
  const request = platform.nats.request(`gantry.${randomUUID()}.cmd.restart`, JSON.stringify(command));
  await expect(request).rejects.toThrow();
  expect(agent.journal()).not.toContain(command.id);
});

test('refuses requests for another host, on another subject, or late', async () => {
  const { platform } = stage;
  expect(await platform.tail({ host_id: randomUUID() })).toMatchObject({
    ok: false,
    error: { code: 'invalid' },
  });
  expect(await platform.tail({ instance: 'other' })).toMatchObject({
    ok: false,
    error: { code: 'unknown_instance' },
  });
  expect(await platform.tail({ limit: 501 })).toMatchObject({ ok: false, error: { code: 'invalid' } });
  const late = { expires_at: new Date(Date.now() - 30_000).toISOString() };
  expect(await platform.type('say hello', late)).toMatchObject({ ok: false, error: { code: 'expired' } });
  expect(await platform.type('say\nhello')).toMatchObject({ ok: false, error: { code: 'invalid' } });
  const unknown = await platform.request('ConsoleTailReply', 'ask.file-read', {});
  expect(unknown).toMatchObject({ ok: false, error: { code: 'invalid' } });
});

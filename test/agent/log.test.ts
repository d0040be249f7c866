// The agent's log: one JSON object a line, in the same form as the platform's, and no secret in it.
import { createAgentLog } from '../../agent/src/log.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';

const lineOfLog = {
  level: expect.stringMatching(/^(info|warn|error)$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  service: 'gantry-agent',
  msg: expect.stringMatching(/./),
};

test('every line has its time, level, service and message, and none has a secret', async () => {
  const jwt = `e30.${'secret'.repeat(5)}.e30`;
  const stage = await Stage.open({ mint: () => ({ jwt, expiresAt: new Date(Date.now() + 60_000) }) });
  const { agent, platform } = stage;
  try {
    agent.configure([{ autostart: true }]);
    platform.refusals.push(401, 503);
    stage.launchAgent();
    await agent.untilOutput('the platform refuses the companion token');
    await agent.end();
    await stage.startAgent();
    await platform.untilState('running');
    await agent.end();
    await until(() => agent.output.includes('agent stops'), 'the last line');
    const lines = agent.output.trim().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject(lineOfLog);
    expect(lines.some((line) => (JSON.parse(line) as { level: string }).level === 'error')).toBe(true);
    for (const secret of [platform.token, jwt]) expect(agent.output).not.toContain(secret);
    expect(agent.output).not.toMatch(/\bSU[A-Z2-7]{56}\b/);
  } finally {
    await stage.close();
  }
});

test('what is named like a secret is redacted, however deep it lies', () => {
  const lines: string[] = [];
  const log = createAgentLog({ write: (line) => void lines.push(line) });
  const secrets = { token: 'pa55word', jwt: 'pa55word', seed: 'pa55word' };
  log.info({ ...secrets, session: { ...secrets, bus: secrets } }, 'a session');
  log.warn({ err: Object.assign(new Error('refused'), { authorization: 'pa55word' }) }, 'a failure');
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain('pa55word');
  expect(lines.join('')).toContain('[redacted]');
});

// A host whose clock is wrong, or is set while the agent runs: the platform's clock counts, and the platform hears of it.
import { fileURLToPath } from 'node:url';
import { headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { isLate, offsetHeaders, UncertainTime } from '../../agent/src/bus/time-headers.ts';
import { watchClock, PlatformClock } from '../../agent/src/clock.ts';
import { graceLeftMs } from '../../agent/src/supervisor/run-record.ts';
import { lifetimeHeaders } from '../../src/bus/time-headers.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';

const hourMs = 3_600_000;
const agentWithClock = fileURLToPath(new URL('support/agent-with-clock.ts', import.meta.url));
const noon = Date.parse('2026-11-21T12:00:00.000Z');

/** A clock of a host that is an hour behind, and has just learned the platform's time. */
function createClock() {
  const host = { wallMs: noon - hourMs, monotonicMs: 5_000 };
  const pass = (ms: number) => {
    host.wallMs += ms;
    host.monotonicMs += ms;
  };
  const clock = new PlatformClock(pino({ level: 'silent' }), {
    wallMs: () => host.wallMs,
    monotonicMs: () => host.monotonicMs,
  });
  const learn = () => clock.learn(new Date(noon).toISOString(), host.monotonicMs - 100);
  return { clock, host, pass, learn };
}

describe('the clock of the platform', () => {
  it('is the host’s own until the platform sends it, then that plus half of the round trip', () => {
    const { clock, learn } = createClock();
    expect([clock.nowMs(), clock.offsetMs]).toEqual([noon - hourMs, undefined]);
    learn();
    expect([clock.nowMs(), clock.offsetMs]).toEqual([noon + 50, -hourMs - 50]);
    expect(clock.textOf(noon - hourMs)).toBe('2026-11-21T12:00:00.050Z');
  });

  it('continues when the host’s clock is set, and detects that it was set', () => {
    const { clock, host, pass, learn } = createClock();
    learn();
    pass(60_000);
    expect(clock.isSteady).toBe(true);
    host.wallMs += 2 * hourMs;
    expect([clock.nowMs(), clock.isSteady]).toEqual([noon + 60_050, false]);
    learn();
    expect([clock.isSteady, clock.offsetMs]).toEqual([true, hourMs + 60_000 - 50]);
  });

  it('is not known after the host has slept', () => {
    const { clock, host, learn } = createClock();
    learn();
    host.wallMs += 10_000;
    expect(clock.isSteady).toBe(false);
  });
});

describe('a message of the platform', () => {
  const expiresAt = (ms: number) => new Date(noon + ms).toISOString();
  const sent = (lifetimeMs?: number) => {
    const result = headers();
    if (lifetimeMs !== undefined) result.set('Gantry-Lifetime-Ms', String(lifetimeMs));
    return { headers: result };
  };

  it('is late by the platform’s time, wherever it has waited', () => {
    const { clock, pass, learn } = createClock();
    learn();
    expect(isLate(sent(5_000), expiresAt(5_000), clock)).toBe(false);
    expect(isLate(sent(), expiresAt(5_000), clock)).toBe(false);
    pass(5_000);
    expect(isLate(sent(5_000), expiresAt(5_000), clock)).toBe(true);
    expect(isLate({}, expiresAt(5_000), clock)).toBe(true);
  });

  it('is late when it had no time left, independently of the clocks', () => {
    const { clock, learn } = createClock();
    learn();
    expect(isLate(sent(0), expiresAt(hourMs), clock)).toBe(true);
    expect(isLate(sent(-5), expiresAt(hourMs), clock)).toBe(true);
  });

  it('can’t be judged while the time is not known', () => {
    const { clock, host, learn } = createClock();
    learn();
    host.wallMs += 2 * hourMs;
    expect(() => isLate(sent(5_000), expiresAt(5_000), clock)).toThrow(UncertainTime);
    learn();
    expect(isLate(sent(5_000), expiresAt(5_000), clock)).toBe(false);
  });

  it('says in a header for how long it is good', () => {
    const lifetime = lifetimeHeaders(new Date(Date.now() + 60_000).toISOString()).get('Gantry-Lifetime-Ms');
    expect(Number(lifetime)).toBeGreaterThan(59_000);
    expect(Number(lifetime)).toBeLessThanOrEqual(60_000);
  });
});

it('a heartbeat says by how much the host’s clock is off, once that is known', () => {
  const { clock, learn } = createClock();
  expect(offsetHeaders(clock)).toBeUndefined();
  learn();
  expect(offsetHeaders(clock)?.get('Gantry-Clock-Offset-Ms')).toBe(String(-hourMs - 50));
});

it('a stop waits no longer than its grace, however the host’s clock is set', () => {
  const at = (ms: number) => ({ stopDeadlineMs: Date.now() + ms });
  expect(graceLeftMs(null, 5_000)).toBe(5_000);
  expect(graceLeftMs({ stopDeadlineMs: null }, 5_000)).toBe(5_000);
  expect(graceLeftMs(at(2 * hourMs), 5_000)).toBe(5_000);
  expect(graceLeftMs(at(-2 * hourMs), 5_000)).toBe(0);
});

it('a clock that is set twice in a row is asked about twice', () => {
  jest.useFakeTimers();
  const { clock, host, pass, learn } = createClock();
  const renew = jest.fn();
  const watch = watchClock(clock, renew, pino({ level: 'silent' }));
  const passSecond = () => {
    pass(1_000);
    jest.advanceTimersByTime(1_000);
  };
  try {
    learn();
    passSecond();
    host.wallMs += 2 * hourMs;
    passSecond();
    expect(renew).toHaveBeenCalledTimes(1);
    learn();
    host.wallMs += 2 * hourMs; // before the next look
    for (let second = 0; second < 6; second += 1) passSecond();
    expect(renew).toHaveBeenCalledTimes(2);
    for (let second = 0; second < 5; second += 1) passSecond();
    expect(renew).toHaveBeenCalledTimes(3); // no reply has come
    learn();
    for (let second = 0; second < 20; second += 1) passSecond();
    expect(renew).toHaveBeenCalledTimes(3);
  } finally {
    clearInterval(watch);
    jest.useRealTimers();
  }
});

describe('an agent that begins again with commands it had accepted', () => {
  it.each([
    ['ahead', 2 * hourMs],
    ['behind', -2 * hourMs],
  ])('judges by the platform’s clock what has expired, on a host two hours %s', async (_, aheadMs) => {
    const stage = await Stage.open();
    try {
      const { agent, platform } = stage;
      agent.configure([{ args: ['deaf'], stop_grace_seconds: 60 }]);
      await stage.startAgent();
      await platform.run('start');
      await platform.untilLine('started');
      const [stop, start] = [platform.command('stop'), platform.command('start')];
      const lifetimeMs = 3_000;
      const late = platform.command('restart', 'main', {
        expires_at: new Date(Date.now() + lifetimeMs).toISOString(),
      });
      for (const command of [stop, late, start])
        expect(await platform.send(command)).toMatchObject({ accepted: true });
      await agent.end('SIGKILL');
      for (const pid of agent.starts()) process.kill(pid, 'SIGKILL');
      await until(() => Date.now() > Date.parse(late.expires_at), 'the end of a lifetime');
      await stage.startAgent({
        program: agentWithClock,
        environment: { AHEAD_MS: String(aheadMs) },
      });
      expect(await platform.resultOf(start.id)).toMatchObject({ status: 'succeeded' });
      expect(await platform.resultOf(late.id)).toMatchObject({ status: 'failed', error_code: 'expired' });
      await until(() => agent.starts().length === 2, 'the second game server');
    } finally {
      await stage.close();
    }
  });
});

it('a command that waits for another until it has expired is not carried out', async () => {
  const stage = await Stage.open();
  try {
    const { agent, platform } = stage;
    agent.configure([{ args: ['deaf'], stop_grace_seconds: 4 }]);
    await stage.startAgent();
    await platform.run('start');
    await platform.untilLine('started');
    const stop = platform.command('stop');
    const restart = platform.command('restart', 'main', {
      expires_at: new Date(Date.now() + 3_000).toISOString(),
    });
    for (const command of [stop, restart])
      expect(await platform.send(command)).toMatchObject({ accepted: true });
    expect(await platform.resultOf(restart.id)).toMatchObject({ status: 'failed', error_code: 'expired' });
    expect(agent.starts()).toHaveLength(1);
  } finally {
    await stage.close();
  }
});

it('an agent whose host’s clock is set two hours ahead renews its session and continues', async () => {
  const stage = await Stage.open();
  try {
    const { agent, platform } = stage;
    agent.configure([{}]);
    await stage.startAgent({
      program: agentWithClock,
    });
    await platform.run('start');
    const sessionCount = platform.sessions.length;
    process.kill(agent.pid, 'SIGUSR2');
    expect(await platform.run('restart')).toMatchObject({ status: 'succeeded' });
    await until(() => platform.sessions.length > sessionCount, 'a new session');
    await until(() => Math.abs(platform.clockOffsetMs - 2 * hourMs) < 1_000, 'a heartbeat with the offset');
    const last = platform.heartbeats.at(-1);
    expect(Math.abs(Date.parse(last?.sent_at ?? '') - Date.now())).toBeLessThan(5_000);
    expect(await platform.type('say hello')).toMatchObject({ ok: true });
    expect(platform.sessions).toHaveLength(sessionCount + 1);
    expect(platform.violations).toEqual([]);
  } finally {
    await stage.close();
  }
});

it('a server’s uptime does not jump with the clock of its host', async () => {
  const stage = await Stage.open();
  try {
    const { agent, platform } = stage;
    agent.configure([{}]);
    await stage.startAgent({
      program: agentWithClock,
    });
    await platform.run('start');
    process.kill(agent.pid, 'SIGUSR2');
    await until(() => Math.abs(platform.clockOffsetMs - 2 * hourMs) < 1_000, 'a heartbeat with the offset');
    const [server] = platform.heartbeats.at(-1)?.instances ?? [];
    expect(server?.state).toMatch(/^(starting|running)$/);
    expect(server?.uptime_seconds).toBeLessThan(hourMs / 1000);
  } finally {
    await stage.close();
  }
});

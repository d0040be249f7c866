// Schedules, the watchdog and notifications, over a world of stand-ins and a receiver of our own.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { components } from '../../generated/local-manager.d.ts';
import { nextRun } from '../../local-manager/src/automation/schedule-times.ts';
import { until } from '../support/until.ts';
import { ManagerWorld } from './support/manager.ts';

type Settings = components['schemas']['Automation'];

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const minuteMs = 60_000;

describe('the next run', () => {
  it.each([
    // A Friday.
    ['later on the same day', '04:30', everyDay, [27, 4, 0], [27, 4, 30]],
    ['on the next day', '04:30', everyDay, [27, 4, 30], [28, 4, 30]],
    ['on the next of its days', '23:59', [1], [27, 12, 0], [30, 23, 59]],
    ['a week later', '04:30', [5], [27, 5, 0], [34, 4, 30]],
  ] as const)('is %s', (_name, time, days, [day, hour, minute], [runDay, runHour, runMinute]) => {
    const after = new Date(2026, 10, day, hour, minute);
    expect(nextRun({ time, days: [...days] }, after)).toEqual(new Date(2026, 10, runDay, runHour, runMinute));
  });
});

describe('over a world', () => {
  let at: ManagerWorld;
  let receiver: Server;
  let received: string[];
  let status: number;

  beforeEach(async () => {
    received = [];
    status = 204;
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push(body);
        response.writeHead(status).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    at = await ManagerWorld.start();
  });

  afterEach(async () => {
    await at.stop();
    receiver.close();
  });

  const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const settings = (change: Partial<Settings>): Settings => ({
    schedules: [],
    watchdog: { isEnabled: false, afterMinutes: 2, maxRestartsPerHour: 2 },
    notifications: { webhookUrl: url(), ntfyUrl: null },
    ...change,
  });
  const put = (change: Partial<Settings>) => at.call('PUT', '/api/automation', settings(change));
  const events = async () =>
    ((await at.get('/api/automation')).body.events as { kind: string; text: string }[]).map(
      ({ kind }) => kind,
    );
  const tick = () => at.manager.services.automation.tick();

  /** As if the schedule was settled for the last time that long ago. */
  async function startAfter(
    agoMs: number,
    time: Date,
    action: 'restart' | 'backup' = 'restart',
  ): Promise<void> {
    const text = `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
    const schedule = { id: 'nightly', action, time: text, days: everyDay, isEnabled: true };
    await at.manager.stop();
    const settledAt = { nightly: new Date(time.getTime() - agoMs).toISOString() };
    const stored = { settings: settings({ schedules: [schedule] }), settledAt, events: [] };
    writeFileSync(join(at.home, 'automation.json'), JSON.stringify(stored));
    await at.restart();
  }

  it('carries a due schedule out once, also over a restart', async () => {
    await at.done('/api/battlegroup/start');
    await startAfter(minuteMs, new Date(Date.now() - minuteMs));
    await tick();
    const [operation] = (await at.get('/api/operations')).body.data;
    expect(operation.kind).toBe('restartBattlegroup');
    expect((await at.end(operation)).state).toBe('succeeded');
    await tick();
    await at.restart();
    await tick();
    expect(at.world.commands).toEqual(['start', 'stop', 'start']);
    expect(await events()).toEqual(['started']);
  });

  it('leaves out what is too late and what players do not miss, and says so', async () => {
    await startAfter(minuteMs, new Date(Date.now() - 40 * minuteMs));
    await tick();
    expect(at.world.commands).toEqual([]);
    expect(await events()).toEqual(['notified', 'leftOut']);
    expect(received[0]).toContain('was left out');
    await startAfter(minuteMs, new Date(Date.now() - minuteMs));
    await tick();
    expect(at.world.commands).toEqual([]);
    expect(received.at(-1)).toContain('the battlegroup is stopped');
  });

  it('restarts a crashed battlegroup within its limits, then only notifies', async () => {
    await at.done('/api/battlegroup/start');
    await put({ watchdog: { isEnabled: true, afterMinutes: 2, maxRestartsPerHour: 1 } });
    const crash = () => {
      at.world.cluster.battlegroup!.status['phase'] = 'Failed';
      at.manager.services.status.forget();
    };
    const tickAfter = (minutes: number) =>
      at.manager.services.automation.tick(new Date(Date.now() + minutes * minuteMs));
    crash();
    await tickAfter(0);
    expect(at.world.commands).toEqual(['start']);
    at.manager.services.status.forget();
    await tickAfter(3);
    const [operation] = (await at.get('/api/operations')).body.data;
    expect(operation.kind).toBe('restartBattlegroup');
    expect((await at.end(operation)).state).toBe('succeeded');
    await until(
      () => received.some((text) => text.includes('is restarted')) || undefined,
      'the notification',
    );
    await at.restart();
    crash();
    await tickAfter(4);
    crash();
    await tickAfter(7);
    expect(at.world.commands).toEqual(['start', 'stop', 'start']);
    expect(received.at(-1)).toContain('after one restart within an hour');
  });

  it('reports failed operations, and receivers that do not take them', async () => {
    await put({});
    at.world.failures.set('backup', { lines: ['Killed'], exitCode: 137 });
    await at.done('/api/battlegroup/backup');
    await until(() => received.some((text) => text.includes('137')) || undefined, 'the notification');
    status = 500;
    const { body } = await at.post('/api/automation/test-notification');
    expect(body.data).toEqual([expect.objectContaining({ kind: 'notNotified' })]);
    expect(body.data[0].text).toContain('status 500');
  });

  it('refuses two schedules with one ID, and times that are none', async () => {
    const schedule = { id: 'a', action: 'backup', time: '04:30', days: [0], isEnabled: true } as const;
    const twice = await put({
      schedules: [
        { ...schedule, days: [0] },
        { ...schedule, days: [1] },
      ],
    });
    expect({ status: twice.status, code: twice.body.code }).toEqual({ status: 422, code: 'invalid_setting' });
    expect((await put({ schedules: [{ ...schedule, days: [0], time: '24:00' }] })).status).toBe(400);
  });
});

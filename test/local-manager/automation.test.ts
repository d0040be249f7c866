// Schedules, the watchdog and notifications, over a world of stand-ins and a receiver of our own.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import type { components } from '../../generated/local-manager.d.ts';
import { AutomationStore } from '../../local-manager/src/automation/automation-store.ts';
import { Automation } from '../../local-manager/src/automation/automation.ts';
import { nextRun } from '../../local-manager/src/automation/schedule-times.ts';
import { Secrets } from '../../local-manager/src/security/secrets.ts';
import { MailServer } from '../support/mail-server.ts';
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
  let logins: (string | undefined)[];
  let status: number;

  beforeEach(async () => {
    received = [];
    logins = [];
    status = 204;
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push(body);
        logins.push(request.headers.authorization);
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

  describe('while a tick waits', () => {
    afterEach(() => jest.restoreAllMocks());

    const operations = async () => (await at.get('/api/operations')).body.data as { kind: string }[];

    it('begins no second one, and makes up for none', async () => {
      const { services } = at.manager;
      const automation = new Automation({
        ...services,
        ...{ home: at.home, addressWatch: {} as never, announcements: {} as never, secrets: new Secrets() },
        log: pino({ level: 'silent' }),
        tickMs: 60 * minuteMs,
      });
      const settled = () => new Promise((resolve) => setImmediate(resolve));
      let finish: () => void = () => undefined;
      const ticks = jest
        .spyOn(automation, 'tick')
        .mockImplementation(() => new Promise((resolve) => (finish = resolve)));
      const intervals = jest.spyOn(globalThis, 'setInterval');
      await automation.start();
      const elapse = intervals.mock.lastCall?.[0] as () => void;
      for (let count = 0; count < 10; count += 1) elapse();
      await settled();
      expect(ticks).toHaveBeenCalledTimes(1);
      finish();
      await settled();
      expect(ticks).toHaveBeenCalledTimes(1);
      elapse();
      await settled();
      expect(ticks).toHaveBeenCalledTimes(2);
      finish();
      await automation.stop();
    });

    it.each(['disabled', 'removed'])('does not start a schedule that is %s', async (how) => {
      await at.done('/api/battlegroup/start');
      const started = await operations();
      await startAfter(minuteMs, new Date(Date.now() - minuteMs));
      const [schedule] = (await at.get('/api/automation')).body.automation.schedules;
      const { change } = AutomationStore.prototype;
      jest.spyOn(AutomationStore.prototype, 'change').mockImplementationOnce(async function (
        this: AutomationStore,
        ...part
      ) {
        await change.apply(this, part);
        await put({ schedules: how === 'removed' ? [] : [{ ...schedule, isEnabled: false }] });
      });
      await tick();
      expect(await operations()).toEqual(started);
      expect(at.world.commands).toEqual(['start']);
      expect(await events()).toEqual([]);
      const { settledAt } = JSON.parse(readFileSync(join(at.home, 'automation.json'), 'utf8'));
      expect(Object.keys(settledAt)).toEqual(how === 'removed' ? [] : ['nightly']);
    });

    /** The settings change while the tick waits for the status. */
    const changeMeanwhile = (change: Partial<Settings>) => {
      const { status } = at.manager.services;
      const get = status.get.bind(status);
      jest.spyOn(status, 'get').mockImplementationOnce(async () => {
        const found = await get();
        await put(change);
        return found;
      });
    };

    it('warns players of no run that is disabled', async () => {
      await at.done('/api/battlegroup/start');
      const run = new Date(Date.now() + 15 * minuteMs);
      run.setSeconds(0, 0);
      const time = run.toTimeString().slice(0, 5);
      const schedule = { id: 'a', action: 'restart', time, days: everyDay, isEnabled: true } as const;
      const warnings = { isEnabled: true, minutes: [10], text: 'Soon', authToken: 'built-in' };
      await put({ schedules: [schedule], warnings });
      changeMeanwhile({ schedules: [], warnings });
      await at.manager.services.automation.tick(new Date(run.getTime() - 9 * minuteMs));
      expect(at.world.announcements).toEqual([]);
      expect(JSON.parse(readFileSync(join(at.home, 'automation.json'), 'utf8')).warned).toEqual({});
    });

    it('restarts nothing once the watchdog is disabled', async () => {
      await at.done('/api/battlegroup/start');
      const watchdog = { isEnabled: true, afterMinutes: 2, maxRestartsPerHour: 1 };
      await put({ watchdog });
      at.world.cluster.battlegroup!.status['phase'] = 'Failed';
      at.manager.services.status.forget();
      await tick();
      at.manager.services.status.forget();
      changeMeanwhile({ watchdog: { ...watchdog, isEnabled: false } });
      await at.manager.services.automation.tick(new Date(Date.now() + 3 * minuteMs));
      expect(at.world.commands).toEqual(['start']);
      expect(await events()).toEqual([]);
    });
  });

  it('leaves out what is too late and what players do not miss, and says so', async () => {
    await startAfter(minuteMs, new Date(Date.now() - 40 * minuteMs));
    await tick();
    expect(at.world.commands).toEqual([]);
    expect(await events()).toEqual(['notified', 'leftOut']);
    expect(received[0]).toContain('was skipped');
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

  it('warns players before a scheduled restart, once for each time', async () => {
    await at.done('/api/battlegroup/start');
    const run = new Date(Date.now() + 15 * minuteMs);
    run.setSeconds(0, 0);
    const time = `${String(run.getHours()).padStart(2, '0')}:${String(run.getMinutes()).padStart(2, '0')}`;
    const schedule = { id: 'a', action: 'restart', time, days: everyDay, isEnabled: true } as const;
    const warnings = {
      isEnabled: true,
      minutes: [10, 5, 1],
      text: 'In {minutes} minutes: "$(id)" <<"',
      authToken: 'built-in',
    };
    const saved = await put({ schedules: [schedule], warnings });
    expect(saved.body.automation.warnings).toEqual({ ...warnings, authToken: '•••' });
    await put({ schedules: [schedule], warnings: saved.body.automation.warnings });
    const tickBefore = (minutes: number) =>
      at.manager.services.automation.tick(new Date(run.getTime() - minutes * minuteMs));
    await tickBefore(12);
    expect(at.world.announcements).toEqual([]);
    await tickBefore(9.9);
    await tickBefore(9);
    await at.restart();
    await tickBefore(8);
    // The host slept: the warning of five minutes is left out.
    await tickBefore(0.5);
    expect(at.world.announcements).toEqual([
      { token: 'built-in', text: 'In 10 minutes: "$(id)" <<"' },
      { token: 'built-in', text: 'In 1 minutes: "$(id)" <<"' },
    ]);
    expect((await events()).filter((kind) => kind === 'warned')).toHaveLength(2);
    expect(readFileSync(join(at.home, 'audit.jsonl'), 'utf8')).not.toContain('built-in');
  });

  it('sends a message to players, and says why it cannot', async () => {
    const refused = await at.post('/api/battlegroup/announce', { text: 'Hello' });
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 422,
      code: 'invalid_setting',
    });
    await put({ warnings: { isEnabled: false, minutes: [5], text: 'x', authToken: 'built-in' } });
    expect((await at.post('/api/battlegroup/announce', { text: 'Grüße' })).body).toEqual({ text: 'Grüße' });
    expect(at.world.announcements).toEqual([{ token: 'built-in', text: 'Grüße' }]);
    expect((await at.post('/api/battlegroup/announce', { text: ' ' })).status).toBe(400);
  });

  it('notifies by mail, and keeps the password to itself', async () => {
    const mails = new MailServer();
    await mails.start();
    try {
      const mail = {
        host: '127.0.0.1',
        port: Number(new URL(mails.url).port),
        security: 'none',
        user: null,
        password: 'melange-forever',
        from: 'sietch@example.org',
        to: 'admin@example.org',
      } as const;
      const saved = await put({ notifications: { webhookUrl: null, ntfyUrl: null, mail } });
      expect(saved.body.automation.notifications.mail).toEqual({ ...mail, password: '•••' });
      // The hidden password is sent back unchanged, as the page does.
      await put({ notifications: saved.body.automation.notifications });
      expect(readFileSync(join(at.home, 'automation.json'), 'utf8')).toContain('melange-forever');
      const { body } = await at.post('/api/automation/test-notification');
      expect(body.data).toEqual([expect.objectContaining({ kind: 'notified' })]);
      expect(mails.messages).toHaveLength(1);
      expect(mails.messages[0]).toContain('To: admin@example.org');
      expect(mails.messages[0]).toContain('This is a test of the local manager.');
      mails.refusal = 550;
      const refused = await at.post('/api/automation/test-notification');
      expect(refused.body.data[0].text).toContain('status 550');
    } finally {
      await mails.stop();
    }
    const gone = await at.post('/api/automation/test-notification');
    expect(gone.body.data[0].text).toContain('could not be reached');
    const injected = { host: 'a', port: 25, security: 'none', user: null, password: null } as const;
    const from = 'a@example.org\r\nBcc: b@example.org';
    const { status: refusedStatus } = await put({
      notifications: { webhookUrl: null, ntfyUrl: null, mail: { ...injected, from, to: 'a@example.org' } },
    });
    expect(refusedStatus).toBe(400);
  });

  it('sends the login of an address, and keeps its password to itself', async () => {
    const withLogin = (login: string) => url().replace('//', `//${login}@`);
    const receivers = (webhookUrl: string) => ({ notifications: { webhookUrl, ntfyUrl: null } });
    const saved = await put(receivers(withLogin('arrakis:spice%20%26%20s%C3%A4nd')));
    const { webhookUrl } = saved.body.automation.notifications;
    expect(webhookUrl).toBe(withLogin('arrakis:•••'));
    // The hidden password is sent back unchanged, as the page does.
    await put(receivers(webhookUrl));
    const { body } = await at.post('/api/automation/test-notification');
    expect(body.data).toEqual([expect.objectContaining({ kind: 'notified' })]);
    expect(logins).toEqual([`Basic ${Buffer.from('arrakis:spice & sänd').toString('base64')}`]);
    for (const address of ['http://arrakis:•••@127.0.0.1:1/', 'http://[', withLogin('arrakis:50%')]) {
      const refused = await put(receivers(address));
      expect({ status: refused.status, pointer: refused.body.errors[0].pointer }).toEqual({
        status: 422,
        pointer: '/notifications/webhookUrl',
      });
    }
  });

  it('shows a stored address that cannot be used, and says so when it is used', async () => {
    await at.manager.stop();
    const stored = settings({ notifications: { webhookUrl: 'http://[', ntfyUrl: null } });
    writeFileSync(join(at.home, 'automation.json'), JSON.stringify({ settings: stored, events: [] }));
    await at.restart();
    const { automation } = (await at.get('/api/automation')).body;
    expect(automation.notifications).toMatchObject({ webhookUrl: 'http://[' });
    const { body } = await at.post('/api/automation/test-notification');
    expect(body.data[0].text).toBe('chat webhook was not notified: its address is not valid.');
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

// Recorded figures, marks and logs: the rules by themselves, and over a world of stand-ins.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  cpuCountersIn,
  cpuPercentBetween,
  diskIn,
  memoryIn,
  podUsesIn,
} from '../../local-manager/src/monitoring/figures.ts';
import { marksBetween, type PodState, type Seen } from '../../local-manager/src/monitoring/marks.ts';
import { MonitoringStore, type Sample } from '../../local-manager/src/monitoring/monitoring-store.ts';
import { listeningPorts } from '../../local-manager/src/visibility/port-check.ts';
import { ManagerWorld } from './support/manager.ts';

describe('figures', () => {
  it('are read from what the machine prints', () => {
    expect(cpuCountersIn('cpu  100 0 100 800 50 0 0 0 30 0')).toEqual({ total: 1050, idle: 850 });
    expect(memoryIn('MemTotal:       20971520 kB\nMemFree: 1 kB\nMemAvailable:   5242880 kB')).toEqual({
      usedGB: 15,
      totalGB: 20,
    });
    expect(diskIn('/dev/mapper/vg0-lv_root 104857600 41943040 62914560 40% /')).toEqual({
      usedGB: 40,
      totalGB: 100,
    });
    expect([...podUsesIn('a-pod-1   1250m   9216Mi\nb   2   1Gi\nc <unknown> 5')]).toEqual([
      ['a-pod-1', { cpuCores: 1.25, memoryGB: 9 }],
      ['b', { cpuCores: 2, memoryGB: 1 }],
      ['c', { cpuCores: null, memoryGB: 0 }],
    ]);
  });

  it('are unknown where the text is another one', () => {
    expect(cpuCountersIn('intr 1 2 3')).toBeNull();
    expect(memoryIn('')).toEqual({ usedGB: null, totalGB: null });
    expect(diskIn('df: /: No such file or directory')).toEqual({ usedGB: null, totalGB: null });
  });

  it('of processors lie between 0 and 100, and are unknown after a restart of the machine', () => {
    const counters = fc.tuple(fc.nat(1e9), fc.nat(1e9)).map(([busy, idle]) => ({ total: busy + idle, idle }));
    fc.assert(
      fc.property(counters, counters, (before, after) => {
        const percent = cpuPercentBetween(before, after);
        if (after.total <= before.total || after.idle < before.idle) expect(percent).toBeNull();
        else {
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it('of UDP ports come from the kernel’s table', () => {
    const table =
      '  sl  local_address rem_address   st\n   12: 00000000:1E61 00000000:0000 07 00\n  13: 0100007F:1E90 00000000:0000 07 00\n  14: 00000000:0035 00000000:0000 07\n';
    expect(listeningPorts(table, { first: 7777, last: 7810 })).toEqual([7777]);
  });
});

describe('marks', () => {
  const at = '2026-11-27T10:00:00.000Z';
  const pod = (change: Partial<PodState> = {}): PodState => ({
    server: 'Survival_1',
    startedAt: '2026-11-27T08:00:00.000Z',
    restarts: 0,
    ended: null,
    ...change,
  });
  const seen = (pods: Seen['pods'], machineStartedAt: Seen['machineStartedAt'] = undefined): Seen => ({
    machineStartedAt,
    pods,
  });
  const kinds = (before: Seen, after: Seen) => marksBetween(before, after, at).map(({ kind }) => kind);

  it.each<[string, Seen, Seen, string[]]>([
    ['nothing that is new', seen({ a: pod() }), seen({ a: pod() }), []],
    ['a crash', seen({ a: pod() }), seen({ a: pod({ restarts: 1 }) }), ['serverCrashed']],
    ['a start', seen({}), seen({ a: pod() }), ['serverStarted']],
    ['a stop', seen({ a: pod() }), seen({}), ['serverStopped']],
    ['a restart', seen({ a: pod() }), seen({ a: pod({ startedAt: at }) }), ['serverRestarted']],
    ['a restart under another name', seen({ a: pod() }), seen({ b: pod() }), ['serverRestarted']],
    ['nothing of what could not be seen', seen({ a: pod() }), seen(undefined), []],
    ['nothing at the first look', seen(undefined), seen({ a: pod() }), []],
    ['a machine that stopped', seen({}, at), seen({}, null), ['machineStopped']],
    ['a machine that started', seen({}, null), seen({}, at), ['machineStarted']],
    ['the same start read twice', seen({}, at), seen({}, '2026-11-27T10:00:20.000Z'), []],
  ])('show %s', (_name, before, after, expected) => {
    expect(kinds(before, after)).toEqual(expected);
  });

  it('of a crash have its time and its reason', () => {
    const ended = { at: '2026-11-27T09:59:00.000Z', detail: 'OOMKilled, exit code 137' };
    expect(marksBetween(seen({ a: pod() }), seen({ a: pod({ restarts: 2, ended }) }), at)).toEqual([
      { at: ended.at, kind: 'serverCrashed', server: 'Survival_1', detail: ended.detail },
    ]);
  });
});

describe('the store', () => {
  const minuteMs = 60_000;
  const dayMs = 24 * 60 * minuteMs;
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-monitoring-'));
    file = join(folder, 'monitoring.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sample = (at: Date, players: number, servers = 1): Sample => ({
    at,
    machine: {
      players,
      cpuPercent: players * 10,
      memoryUsedGB: 10,
      memoryTotalGB: 20,
      diskUsedGB: null,
      diskTotalGB: null,
    },
    servers: new Map(
      Array.from({ length: servers }, (_, index) => [
        `Map_${index}`,
        { players, cpuCores: 0.5, memoryGB: 6 },
      ]),
    ),
    marks: [],
    seen: { machineStartedAt: undefined, pods: undefined },
    missing: [],
  });

  it('returns the highest number of players and the means of each step, and forgets after 30 days', () => {
    const store = new MonitoringStore(file);
    store.open();
    const start = new Date('2026-11-01T00:00:00.000Z');
    const later = (ms: number) => new Date(start.getTime() + ms);
    store.add(sample(start, 9));
    store.add(sample(later(31 * dayMs), 1));
    store.add(sample(later(31 * dayMs + minuteMs), 4));
    const { machine, servers } = store.read({ from: start, to: later(32 * dayMs), stepSeconds: 300 });
    expect(machine).toEqual([
      expect.objectContaining({ players: 4, cpuPercent: 25, memoryUsedGB: 10, diskUsedGB: null }),
    ]);
    expect(servers).toEqual([
      { server: 'Map_0', points: [expect.objectContaining({ players: 4, cpuCores: 0.5 })] },
    ]);
    store.close();
  });

  it('stays within its size, and then keeps the newest', () => {
    const maxBytes = 200 * 1024;
    const store = new MonitoringStore(file, { maxBytes });
    store.open();
    const start = Date.now() - 20 * dayMs;
    const count = 400;
    for (let index = 0; index < count; index += 1)
      store.add(sample(new Date(start + (index * 20 * dayMs) / count), index % 10, 40));
    expect(statSync(file).size).toBeLessThanOrEqual(maxBytes);
    const { machine } = store.read({ from: new Date(start), to: new Date(), stepSeconds: 60 });
    expect(machine.length).toBeGreaterThan(20);
    expect(machine.length).toBeLessThan(count);
    expect(Date.parse(machine.at(-1)?.at ?? '')).toBeGreaterThan(Date.now() - dayMs);
    store.close();
  });

  it('moves a damaged file aside and begins a new one', () => {
    writeFileSync(file, 'not a database at all, '.repeat(500));
    const store = new MonitoringStore(file);
    expect(store.open()).toMatch(/damaged-\d+$/);
    store.add(sample(new Date(), 1));
    expect(store.last().at).not.toBeNull();
    store.close();
  });
});

describe('over a world', () => {
  let at: ManagerWorld;

  beforeEach(async () => {
    at = await ManagerWorld.start();
    await at.done('/api/battlegroup/start');
  });
  afterEach(() => at.stop());

  const sample = async () => {
    at.manager.services.status.forget();
    await at.manager.services.monitoring.sample();
  };
  const monitoring = async (query = '') => (await at.get(`/api/monitoring${query}`)).body;

  it('records players, memory, CPU and disk of the machine and of each server', async () => {
    at.world.cluster.servers.players.set('Survival_1', 3);
    await sample();
    await sample();
    const { machine, servers, missing, intervalSeconds } = await monitoring('?hours=1');
    expect(missing).toEqual([]);
    expect(intervalSeconds).toBe(3600);
    const point = machine.at(-1);
    expect(point.players).toBe(3);
    expect(point.memoryUsedGB).toBeGreaterThan(0);
    expect(point.memoryTotalGB).toBeGreaterThan(point.memoryUsedGB);
    expect(point.diskTotalGB).toBeGreaterThan(0);
    expect(point.cpuPercent).toBeGreaterThanOrEqual(0);
    expect(servers.map(({ server }: { server: string }) => server)).toEqual(['Overmap', 'Survival_1']);
    expect(servers[1].points.at(-1)).toMatchObject({ players: 3, memoryGB: 6.75 });
    expect(servers[1].points.at(-1).cpuCores).toBeGreaterThan(0.8);
  });

  it('says why figures are missing, and records the others', async () => {
    at.world.cluster.servers.hasMetrics = false;
    await sample();
    const { machine, servers, missing } = await monitoring();
    expect(missing).toEqual([expect.stringContaining('does not measure')]);
    expect(servers[0].points.at(-1)).toMatchObject({ players: 0, cpuCores: null, memoryGB: null });
    expect(machine.at(-1).memoryTotalGB).toBeGreaterThan(0);
    await at.done('/api/vm/stop');
    await sample();
    expect((await monitoring()).missing).toEqual([]);
  });

  it('marks crashes, restarts and stops, also those while the manager was away', async () => {
    await sample();
    at.world.cluster.crash('Survival_1', 'OOMKilled', 137);
    await at.restart();
    await sample();
    const [mark] = (await monitoring()).marks;
    expect(mark).toMatchObject({
      kind: 'serverCrashed',
      server: 'Survival_1',
      detail: 'OOMKilled, exit code 137',
    });
    await at.done('/api/battlegroup/restart');
    await sample();
    const after = (await monitoring()).marks as { kind: string }[];
    expect(after.filter(({ kind }) => kind === 'serverRestarted')).toHaveLength(2);
    await at.done('/api/battlegroup/stop');
    await sample();
    const { marks } = await monitoring();
    expect(marks.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toEqual([
      'serverStopped',
      'serverStopped',
    ]);
  });

  it('reads and searches the log of a server, without secrets', async () => {
    const { body: sources } = await at.get('/api/server-logs');
    const survival = sources.data[0];
    expect(sources.data.map(({ server }: { server: string | null }) => server)).toEqual([
      'Overmap',
      'Survival_1',
      null,
      null,
    ]);
    const { id } = sources.data[1];
    expect(survival.phase).toBe('Running');
    at.world.cluster.servers.say('Survival_1', 'LogGame: Error: it is (not) a [pattern] $HOME `id`');
    const read = async (query: string) => (await at.get(`/api/server-logs/${id}${query}`)).body;
    const all = await read('');
    expect(all.isTruncated).toBe(false);
    expect(all.lines.map(({ text }: { text: string }) => text)).toEqual([
      'LogInit: Display: Starting Game.',
      'LogWorld: Bringing World /Game/Dune/Maps/Survival_1 up for play',
      'LogFuncom: Warning: token=•••',
      'LogNet: Display: Listening on port 7777',
      'LogGame: Error: it is (not) a [pattern] $HOME `id`',
    ]);
    expect(all.lines[0].at).toMatch(/^2\d{3}-/);
    const found = await read(`?search=${encodeURIComponent('(NOT) a [pattern] $HOME `id`')}`);
    expect(found.lines).toHaveLength(1);
    expect((await read('?search=-v')).lines).toEqual([]);
    const newest = await read('?limit=2');
    expect(newest.isTruncated).toBe(true);
    expect(newest.lines).toHaveLength(2);
    expect((await read('?previous=true')).lines).toEqual([]);
    at.world.cluster.crash('Survival_1', 'Error', 1);
    const previous = await read('?previous=true');
    expect(previous.lines.at(-1).text).toContain('Ran out of memory');
  });

  it('reads no other program’s log', async () => {
    expect((await at.get('/api/server-logs/kube-apiserver')).status).toBe(404);
    expect((await at.get('/api/server-logs/..%2Fsecrets')).status).toBe(400);
  });

  it('notices a new public address once, and writes it if wanted', async () => {
    const { automation } = at.manager.services;
    const mode = (wanted: 'off' | 'warn' | 'follow') =>
      at.call('PUT', '/api/automation', {
        schedules: [],
        watchdog: { isEnabled: false, afterMinutes: 5, maxRestartsPerHour: 1 },
        notifications: { webhookUrl: null, ntfyUrl: null },
        addressWatch: { mode: wanted },
      });
    let minutes = 0;
    const tick = () => automation.tick(new Date(Date.now() + (minutes += 11) * 60_000));
    const changes = async () =>
      (await at.get('/api/automation')).body.events.filter(
        ({ kind }: { kind: string }) => kind === 'addressChanged',
      );
    const visibility = async () => (await at.get('/api/server-visibility')).body;
    await mode('follow');
    await tick();
    // A private address is advertised on purpose, as in a VPN.
    expect(await visibility()).toMatchObject({
      ...{ isWan: true, isOtherPrivate: true, advertisedIp: '192.168.1.50', watchedIp: null },
    });
    expect(await changes()).toHaveLength(0);
    await at.post('/api/server-visibility', { advertisedIp: '203.0.113.9' });
    await mode('warn');
    await tick();
    expect(await visibility()).toMatchObject({ isOtherPrivate: false, advertisedIp: '203.0.113.9' });
    expect(await changes()).toHaveLength(1);
    await tick();
    expect(await changes()).toHaveLength(1);
    expect((await visibility()).watchedIp).toMatchObject({ publicIp: '203.0.113.7' });
    await at.restart();
    await at.manager.services.automation.tick();
    expect(await changes()).toHaveLength(1);
    await at.post('/api/server-visibility', { advertisedIp: '203.0.113.8' });
    await mode('off');
    await at.manager.services.automation.tick();
    expect((await visibility()).watchedIp).toBeNull();
    await mode('follow');
    await at.manager.services.automation.tick();
    expect(await visibility()).toMatchObject({
      advertisedIp: '203.0.113.7',
      watchedIp: { publicIp: '203.0.113.7' },
    });
    expect((await changes())[0].text).toContain('It is saved');
    await at.post('/api/server-visibility', { advertisedIp: null });
    await at.manager.services.automation.tick(new Date(Date.now() + 30 * 60_000));
    expect(await visibility()).toMatchObject({ advertisedIp: null });
  });

  it('checks the ports from this host, and says what that shows', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    at.world.cluster.directorNodePort = port;
    at.manager.services.status.forget();
    const { body } = await at.get('/api/server-visibility/ports');
    listener.close();
    const stateOf = (wanted: string) =>
      body.checks.find((check: { port: string }) => check.port === wanted)?.state;
    expect(stateOf(String(port))).toBe('open');
    expect(stateOf('31982')).toBe('closed');
    expect(body.limits[0]).toContain('outside of this network');
    // The advertised address of these stand-ins is 192.168.1.50, which is not the machine's own.
    expect(body.checks.at(-1)).toMatchObject({
      address: '192.168.1.50',
      proves: expect.stringContaining('advertised private address'),
    });
  });
});

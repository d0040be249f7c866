// When alerts begin and end, compared with simple forms of the same rules.
import fc from 'fast-check';
import { decide, wellMinutes, type Evaluated, type RecentAlert } from '../../src/services/alerts/decision.ts';
import {
  evaluateAgent,
  evaluateClock,
  evaluateDisk,
  evaluateFps,
  evaluateHost,
  evaluatePopulation,
  evaluateState,
  type Bucket,
  type HostFigures,
} from '../../src/services/alerts/conditions.ts';
import { defaultRules, withChanges } from '../../src/services/alerts/rules.ts';
import { isOlder } from '../../shared/versions.ts';

const step = 300_000;
const lastAt = 1_000 * step;

/** Values of the last five minutes and those before them, newest first; null where nothing is known. */
type Series = (number | null)[];

const samples = 7;
const bucketsOf = (series: Series, isFps = false): Bucket[] =>
  series.flatMap((mean, back) =>
    mean === null
      ? []
      : [
          {
            at: lastAt - back * step,
            playersSum: isFps ? 0 : mean * samples,
            playersSamples: isFps ? 0 : samples,
            fpsSum: isFps ? mean * samples : 0,
            fpsSamples: isFps ? samples : 0,
          },
        ],
  );

const series = (max: number) =>
  fc.array(fc.option(fc.integer({ min: 0, max }), { nil: null }), { maxLength: 45 });

describe('a drop of players', () => {
  const rules = fc.record({
    is_enabled: fc.constant(true),
    severity: fc.constant('Warning' as const),
    percent: fc.integer({ min: 1, max: 100 }),
    window_minutes: fc.integer({ min: 2, max: 36 }).map((steps) => steps * 5),
    min_players: fc.integer({ min: 1, max: 60 }),
  });

  it('matches a direct reading of the rule for any series with any gaps', () => {
    fc.assert(
      fc.property(rules, series(100), (rule, reported) => {
        const now = reported[0] ?? null;
        const earlier: number[] = [];
        for (let back = 1; back * 5 <= rule.window_minutes; back += 1) {
          const mean = reported[back] ?? null;
          if (mean !== null) earlier.push(mean);
        }
        let expected: boolean | null;
        if (now === null || earlier.length === 0) expected = null;
        else {
          const best = earlier.toSorted((one, other) => other - one)[0] ?? 0;
          expected = best >= rule.min_players && (best - now) * 100 >= rule.percent * best;
        }
        const verdict = evaluatePopulation(rule, bucketsOf(reported), lastAt);
        expect(verdict?.holds ?? null).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never raised from missing valuesby earlier values', () => {
    fc.assert(
      fc.property(rules, series(100), (rule, reported) => {
        expect(evaluatePopulation(rule, bucketsOf([null, ...reported]), lastAt)).toBeNull();
      }),
    );
  });

  it('ignores values before its window and minutes that are not over', () => {
    const rule = { ...defaultRules.population_drop, window_minutes: 10 };
    const recovered = { holds: false, end: 'recovered' };
    expect(evaluatePopulation(rule, bucketsOf([10, 10, 10, 100]), lastAt)).toEqual(recovered);
    const running = { ...bucketsOf([0])[0]!, at: lastAt + step };
    expect(evaluatePopulation(rule, [...bucketsOf([100, 100]), running], lastAt)).toEqual(recovered);
  });

  it.each([
    [[20, 20, 20], 'settled'],
    [[50, 20, 20], 'settled'],
    [[51, 20, 20], 'recovered'],
    [[5, 5, 5], 'settled'],
  ])('from 100 by half has, with %j, %s', (reported, end) => {
    const rule = { ...defaultRules.population_drop, window_minutes: 10 };
    expect(evaluatePopulation(rule, bucketsOf(reported), lastAt, 100)).toEqual({ holds: false, end });
  });
});

describe('slowness', () => {
  const rules = fc.record({
    is_enabled: fc.constant(true),
    severity: fc.constant('Warning' as const),
    fps: fc.integer({ min: 1, max: 60 }),
    window_minutes: fc.integer({ min: 2, max: 36 }).map((steps) => steps * 5),
  });

  it('matches a direct reading of the rule for any series with any gaps', () => {
    fc.assert(
      fc.property(rules, series(60), (rule, reported) => {
        const within = reported.slice(0, rule.window_minutes / 5).filter((mean) => mean !== null);
        const sum = within.reduce((all, mean) => all + mean, 0);
        const expected = (reported[0] ?? null) === null ? null : sum < rule.fps * within.length;
        expect(evaluateFps(rule, bucketsOf(reported, true), lastAt)?.holds ?? null).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('hosts', () => {
  const host: HostFigures = {
    isOnline: false,
    lastHeartbeatAt: 0,
    agentVersion: '1.2.3',
    diskUsedBytes: 90,
    diskTotalBytes: 100,
    clockOffsetMs: 0,
    formerClockOffsetMs: 0,
  };

  it.each<[string, Partial<HostFigures>, number, boolean | null]>([
    ['one that was never heard of', { lastHeartbeatAt: null }, 180_000, null],
    ['one that is online', { isOnline: true }, 180_000, false],
    ['one that has been silent for less', {}, 179_999, false],
    ['one that has been silent for long enough', {}, 180_000, true],
  ])('down: %s', (_what, figures, now, expected) => {
    expect(evaluateHost(defaultRules.host_down, { ...host, ...figures }, now)?.holds ?? null).toBe(expected);
  });

  it.each<[Partial<HostFigures>, boolean | null]>([
    [{ isOnline: true }, true],
    [{ isOnline: true, diskUsedBytes: 89 }, false],
    [{ isOnline: true, diskUsedBytes: null }, null],
    [{ isOnline: true, diskTotalBytes: 0 }, null],
    [{ isOnline: false }, null],
  ])('full: %j', (figures, expected) => {
    expect(evaluateDisk(defaultRules.disk_full, { ...host, ...figures })?.holds ?? null).toBe(expected);
  });

  it.each<[Partial<HostFigures>, boolean | null]>([
    [{ clockOffsetMs: 30_000, formerClockOffsetMs: -30_000 }, true],
    [{ clockOffsetMs: -7_200_000, formerClockOffsetMs: -7_200_000 }, true],
    [{ clockOffsetMs: 30_000, formerClockOffsetMs: 29_999 }, null],
    [{ clockOffsetMs: 30_000, formerClockOffsetMs: null }, null],
    [{ clockOffsetMs: 29_999, formerClockOffsetMs: 30_000 }, false],
    [{ clockOffsetMs: null }, null],
    [{ isOnline: false, clockOffsetMs: 30_000, formerClockOffsetMs: 30_000 }, null],
  ])('with a wrong clock: %j', (figures, expected) => {
    const verdict = evaluateClock(defaultRules.clock_wrong, { ...host, isOnline: true, ...figures });
    expect(verdict?.holds ?? null).toBe(expected);
  });

  it.each<[Partial<HostFigures>, string | null, boolean | null]>([
    [{ isOnline: true }, null, true],
    [{ isOnline: true }, '1.2.3', false],
    [{ isOnline: true, agentVersion: 'nightly' }, null, null],
    [{ isOnline: false }, null, null],
  ])('outdated: %j for %s', (figures, minimum, expected) => {
    const rule = { ...defaultRules.agent_outdated, minimum_version: minimum };
    expect(evaluateAgent(rule, { ...host, ...figures }, '2.0.0')?.holds ?? null).toBe(expected);
  });

  it.each([
    ['offline', null],
    ['starting', null],
    ['stopping', null],
    ['stopped', { holds: false, end: 'settled' }],
    ['running', { holds: false, end: 'recovered' }],
    ['crashed', { holds: true, metadata: { crashed_at: '1970-01-01T00:00:00.000Z' } }],
  ])('crashed: an instance that is %s', (state, expected) => {
    expect(evaluateState({ state, stateAt: 0, crashedAt: null })).toEqual(expected);
    expect(evaluateState({ state, stateAt: 0, crashedAt: 0 })).toMatchObject({ holds: true });
  });

  it('compare versions by their numbers, pre-releases before their release', () => {
    expect(isOlder('1.9.0', '1.10.0')).toBe(true);
    expect(isOlder('v1.10.0', '1.9.9')).toBe(false);
    expect(isOlder('1.0.0-rc.1', '1.0.0')).toBe(true);
    expect(isOlder('1.0.0', '1.0.0-rc.1')).toBe(false);
    expect(isOlder('1.0.0+build', '1.0.0')).toBe(false);
    expect(isOlder('1.0', '1.0.0')).toBeNull();
  });
});

it('rules stored before a kind existed have its defaults', () => {
  const { disk_full: _unknownThen, ...stored } = defaultRules;
  expect(withChanges(stored, { host_down: { after_minutes: 9 } })).toEqual({
    ...defaultRules,
    host_down: { ...defaultRules.host_down, after_minutes: 9 },
  });
});

describe('a series of verdicts', () => {
  interface LiveAlert {
    id: string;
    raisedAt: number;
    wellSince: number | null;
    endedAt: number | null;
    reopenings: number;
  }

  const roundMs = 20_000;
  const suppressedMs = 30 * 60_000;
  const enabled = new Set(['disk_full'] as const);

  /** The outcome round by round, with the notifications of each. */
  function live(verdicts: readonly (boolean | null)[]): { alerts: LiveAlert[]; notifications: string[] } {
    const alerts: LiveAlert[] = [];
    const notifications: string[] = [];
    const byId = (id: string) => alerts.find((alert) => alert.id === id)!;
    for (const [round, holds] of verdicts.entries()) {
      const now = round * roundMs;
      const evaluated: Evaluated<string>[] = [
        {
          kind: 'disk_full',
          subjectId: 'host',
          subject: 'host',
          verdict:
            holds === null ? null : holds ? { holds, metadata: {} } : { holds: false, end: 'recovered' },
        },
      ];
      const recentAlerts: RecentAlert[] = alerts
        .filter(({ endedAt, raisedAt }) => endedAt === null || now - raisedAt < suppressedMs)
        .map(({ id, endedAt, wellSince, reopenings }) => ({
          id,
          kind: 'disk_full',
          subjectId: 'host',
          isOpen: endedAt === null,
          isWell: wellSince !== null,
          hasBeenWell: wellSince !== null && now - wellSince >= patienceMs(reopenings),
        }));
      const { raised, reopened, ended, wellSince, notWell } = decide(evaluated, recentAlerts, enabled);
      for (const { id, reason } of ended) {
        byId(id).endedAt = now;
        notifications.push(reason);
      }
      for (const { id } of reopened) {
        Object.assign(byId(id), { endedAt: null, wellSince: null, reopenings: byId(id).reopenings + 1 });
        notifications.push('raised');
      }
      for (const id of wellSince) byId(id).wellSince = now;
      for (const id of notWell) byId(id).wellSince = null;
      for (const _one of raised) {
        const id = String(alerts.length);
        alerts.push({ id, raisedAt: now, wellSince: null, endedAt: null, reopenings: 0 });
        notifications.push('raised');
      }
    }
    return { alerts, notifications };
  }

  const patienceMs = (reopenings: number) =>
    (reopenings === 0 ? wellMinutes.first : wellMinutes.afterComingBack) * 60_000;

  const stretches = fc
    .array(
      fc.record({
        holds: fc.option(fc.boolean(), { nil: null }),
        rounds: fc.integer({ min: 1, max: 120 }),
      }),
      { maxLength: 30 },
    )
    .map((parts) => parts.flatMap(({ holds, rounds }) => Array<boolean | null>(rounds).fill(holds)));

  it('notifies alternately, and the last notification is current unless the state has only just changed', () => {
    fc.assert(
      fc.property(stretches, (verdicts) => {
        const { alerts, notifications } = live(verdicts);
        expect(notifications).toEqual(
          notifications.map((_, index) => (index % 2 === 0 ? 'raised' : 'recovered')),
        );
        if (verdicts.at(-1) === true) expect(notifications.at(-1)).toBe('raised');
        const rounds = (patienceMs(1) + roundMs) / roundMs + 1;
        const last = verdicts.slice(-rounds);
        if (last.length === rounds && last.every((holds) => holds === false))
          expect(notifications.at(-1) ?? 'recovered').toBe('recovered');
        for (const [index, { raisedAt, reopenings }] of alerts.entries()) {
          expect(reopenings).toBeLessThanOrEqual(1);
          if (index > 0) expect(raisedAt - alerts[index - 1]!.raisedAt).toBeGreaterThanOrEqual(suppressedMs);
        }
      }),
    );
  });

  it('ends only after five minutes of known and healthy values', () => {
    const minutes = (count: number, holds: boolean | null) => Array<boolean | null>(count * 3).fill(holds);
    const flapping = [...minutes(1, true), ...minutes(4, false)];
    expect(live([...flapping, ...flapping, ...flapping]).notifications).toEqual(['raised']);
    expect(live([true, ...minutes(4, false), null, ...minutes(4, false)]).notifications).toEqual(['raised']);
    expect(live([true, ...minutes(6, false)]).notifications).toEqual(['raised', 'recovered']);
  });

  it('that flaps for three hours notifies once, not 270 times; one that returns every ten minutes, twice', () => {
    expect(live(Array.from({ length: 540 }, (_, round) => round % 2 === 0)).notifications).toEqual([
      'raised',
    ]);
    const slower = Array.from({ length: 540 }, (_, round) => round % 30 < 5);
    expect(live(slower).notifications).toEqual(['raised', 'recovered', 'raised']);
  });

  it('is repeated once for each further crash while it is open, and for nothing else', () => {
    const alert: RecentAlert = {
      id: 'open',
      kind: 'instance_crashed',
      subjectId: 'a',
      isOpen: true,
      crashedAt: 1_000,
      isWell: false,
      hasBeenWell: false,
    };
    const repeatedBy = (crashedAt?: number, of: RecentAlert = alert) =>
      decide(
        [
          {
            kind: 'instance_crashed',
            subjectId: 'a',
            subject: null,
            verdict: { holds: true, metadata: {}, ...(crashedAt !== undefined && { crashedAt }) },
          },
        ],
        [of],
        enabled,
      ).repeated.length;
    expect([repeatedBy(2_000), repeatedBy(1_000), repeatedBy()]).toEqual([1, 0, 0]);
    expect(repeatedBy(2_000, { ...alert, isOpen: false })).toBe(0);
  });

  it('ends when disabled or when its subject is deleted, and stays ended', () => {
    const unwell = { isWell: false, hasBeenWell: false };
    const recentAlerts: RecentAlert[] = [
      { id: 'off', kind: 'low_fps', subjectId: 'a', isOpen: true, ...unwell },
      { id: 'gone', kind: 'disk_full', subjectId: 'b', isOpen: true, ...unwell },
      { id: 'ended', kind: 'disk_full', subjectId: 'c', isOpen: false, ...unwell },
    ];
    expect(decide([], recentAlerts, enabled)).toMatchObject({
      raised: [],
      reopened: [],
      ended: [
        { id: 'off', reason: 'turned_off' },
        { id: 'gone', reason: 'gone' },
      ],
    });
  });
});

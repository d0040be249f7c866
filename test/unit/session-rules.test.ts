// Sessions of players: each rule by an example, and the same sessions for any order of reports.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Announcements } from '../../src/bus/announcements.ts';
import { HostScope } from '../../src/services/agents/host-scope.ts';
import { AgentReports } from '../../src/services/agents/reports.ts';
import type { CommandEnd } from '../../src/services/commands/index.ts';
import { PluginEvents } from '../../src/services/plugin-events/index.ts';
import { findDueSessions, PlayerSessions } from '../../src/services/plugin-events/player-sessions.ts';
import { sessionsOf } from '../../src/services/plugin-events/session-rules.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('the rules', () => {
  const join = (at: number) => ({ at: at * minute, kind: 'join' as const });
  const leave = (at: number) => ({ at: at * minute, kind: 'leave' as const });
  const down = (at: number) => ({ at: at * minute, wasRunning: true });
  const upAgain = (at: number) => ({ at: at * minute, wasRunning: false });

  /** As `from–to reason`, in minutes. */
  const sessions = (
    signs: Parameters<typeof sessionsOf>[1],
    breaks: Parameters<typeof sessionsOf>[2] = [],
    now = 100,
  ) =>
    sessionsOf(undefined, signs, breaks, now * minute).map(
      ({ startedAt, endedAt, hasJoin, endReason }) =>
        `${startedAt / minute}–${endedAt === null ? '' : endedAt / minute} ${endReason ?? 'lasts'}${hasJoin ? '' : ' without join'}`,
    );

  it.each([
    ['a join and a leave', [join(1), leave(5)], [], ['1–5 leave']],
    ['a join alone', [join(1)], [], ['1– lasts']],
    ['a leave alone', [leave(5)], [], ['5–5 leave without join']],
    ['joins that are repeated', [join(1), join(3), leave(5)], [], ['1–5 leave']],
    ['two leaves', [join(1), leave(5), leave(7)], [], ['1–5 leave', '7–7 leave without join']],
    ['the same twice', [join(1), join(1), leave(5), leave(5)], [], ['1–5 leave']],
    ['leaving and coming in one moment', [join(1), join(5), leave(5)], [], ['1–5 leave', '5– lasts']],
    ['coming and leaving in one moment', [leave(5), join(5)], [], ['5–5 leave']],
    ['a crash', [join(1)], [down(4)], ['1–4 server_down']],
    ['a crash and a new join', [join(1), join(6), leave(9)], [down(4)], ['1–4 server_down', '6–9 leave']],
    ['a leave reported just after the crash', [join(1), leave(8)], [down(4)], ['1–4 server_down']],
    [
      'a leave reported long after the crash',
      [join(1), leave(10)],
      [down(4)],
      ['1–4 server_down', '10–10 leave without join'],
    ],
    ['a leave and a crash in one moment', [join(1), leave(4)], [down(4)], ['1–4 leave']],
    ['a join and a crash in one moment', [join(4)], [down(4)], ['4–4 server_down']],
    [
      'a session that began while nothing was heard of the host, whose server was restarted',
      [join(5), join(7)],
      [down(4), upAgain(20)],
      ['5–7 server_down'],
    ],
  ])('%s', (_name, signs, breaks, expected) => {
    expect(sessions(signs, breaks)).toEqual(expected);
  });

  it('ends a session after a day of silence, at its last report', () => {
    const dayInMinutes = day / minute;
    expect(sessions([join(1), join(3)], [], 3 + dayInMinutes)).toEqual(['1– lasts']);
    expect(sessions([join(1), join(3)], [], 4 + dayInMinutes)).toEqual(['1–3 silence']);
    expect(sessions([join(1), leave(2 + dayInMinutes)], [], 3 * dayInMinutes)).toEqual([
      '1–1 silence',
      `${2 + dayInMinutes}–${2 + dayInMinutes} leave without join`,
    ]);
    expect(sessions([join(1)], [down(2 + dayInMinutes)], 3 * dayInMinutes)).toEqual(['1–1 silence']);
  });
});

type State = 'stopped' | 'starting' | 'running' | 'stopping' | 'crashed' | 'offline';
interface Sign {
  player: string;
  at: number;
  kind: 'join' | 'leave';
}
interface Reported {
  at: number;
  state: State;
}

/** The same rules in another form: the next event is searched for in all events. */
function plainSessions(signs: readonly Sign[], reported: readonly Reported[], now: number) {
  const times = [...new Set(signs.map(({ at }) => at))].sort((one, other) => one - other);
  const has = (at: number, kind: string) => signs.some((sign) => sign.at === at && sign.kind === kind);
  const states = [...new Map(reported.map(({ at, state }) => [at, state]))].sort(([a], [b]) => a - b);
  const breaks = states.flatMap(([at, state], index) => {
    const before = states[index - 1]?.[1];
    if (before === undefined || before === state) return [];
    if (['offline', 'stopped', 'crashed'].includes(before)) return [{ at, wasRunning: false }];
    return ['running', 'stopping'].includes(state) ? [] : [{ at, wasRunning: true }];
  });
  const found: { from: number; to: number | null; last: number; join: boolean; why: string | null }[] = [];
  let index = 0;
  let hasLeft = false;
  while (index < times.length) {
    const from = times[index] ?? 0;
    index += 1;
    const previous = found.at(-1);
    if (!has(from, 'join')) {
      const isLate = previous?.why === 'server_down' && from - (previous.to ?? 0) <= 5 * minute;
      if (!isLate) found.push({ from, to: from, last: from, join: false, why: 'leave' });
      continue;
    }
    if (has(from, 'leave') && !hasLeft) {
      found.push({ from, to: from, last: from, join: true, why: 'leave' });
      continue;
    }
    hasLeft = false;
    let last = from;
    for (;;) {
      const next = times[index] ?? Infinity;
      const end = breaks.find(({ at }) => at >= last);
      const limit = last + day;
      if (end !== undefined && end.at < next && end.at <= limit) {
        found.push({ from, to: end.wasRunning ? end.at : last, last, join: true, why: 'server_down' });
        break;
      }
      if (next > limit) {
        const isOver = next < Infinity || now > limit || (end !== undefined && end.at > limit);
        found.push({ from, to: isOver ? last : null, last, join: true, why: isOver ? 'silence' : null });
        break;
      }
      if (has(next, 'leave')) {
        found.push({ from, to: next, last: next, join: true, why: 'leave' });
        hasLeft = has(next, 'join');
        if (!hasLeft) index += 1;
        break;
      }
      last = next;
      index += 1;
    }
  }
  return found;
}

describe('derived sessions', () => {
  let fleet: FleetDatabase;
  let hostId: string;
  let reports: AgentReports;
  let derivation: PlayerSessions;
  const events = new PluginEvents();

  beforeAll(async () => {
    fleet = await openFleetDatabase();
    hostId = await fleet.createHost();
    reports = new AgentReports(
      new HostScope(fleet.platform, fleet.tenant),
      {} as Announcements<CommandEnd>,
      7 * 24,
    );
    derivation = new PlayerSessions(() => fleet.platform.transact('jobs', findDueSessions), fleet.tenant);
  });
  afterAll(() => fleet.close());

  const players = Array.from({ length: 5 }, (_, index) => `7656119796028793${index}`);

  async function storedSessions(instanceId: string, player: string) {
    const rows = await fleet.database.query<Record<string, Date | null> & { has_join: boolean; why: string }>(
      `select started_at, ended_at, last_sign_at, has_join, end_reason as why from player_session
       where instance_id = $1 and steam_id = $2 order by started_at`,
      [instanceId, player],
    );
    return rows.map(({ started_at, ended_at, last_sign_at, has_join, why }) => ({
      from: started_at?.getTime(),
      to: ended_at?.getTime() ?? null,
      last: last_sign_at?.getTime(),
      join: has_join,
      why,
    }));
  }

  /** Moments so close that they coincide, hours apart with silence between, or up to now. */
  const offsets = [
    fc.nat(8).map((steps) => steps * 2.5 * minute),
    fc.nat(15).map((steps) => steps * 4 * hour),
    fc.nat(10).map((steps) => 59 * hour + steps * 5 * minute),
  ];
  const factsAt = (offset: fc.Arbitrary<number>) =>
    fc.record({
      signs: fc.array(
        fc.record({
          player: fc.constantFrom(...players),
          at: offset,
          kind: fc.constantFrom<Sign['kind']>('join', 'join', 'leave'),
        }),
        { maxLength: 25, size: 'max' },
      ),
      reported: fc.array(
        fc.record({
          at: offset,
          state: fc.constantFrom<State>('stopped', 'starting', 'running', 'running', 'stopping', 'crashed'),
        }),
        { maxLength: 6, size: 'max' },
      ),
    });
  type Action =
    'derive' | ({ what: 'event'; id: string } & Sign) | ({ what: 'state'; seq: number } & Reported);

  const history = fc
    .constantFrom(...offsets)
    .chain(factsAt)
    .chain((facts) => {
      const states = facts.reported.toSorted((one, other) => one.at - other.at);
      const actions: Action[] = [
        ...facts.signs.map((event, index) => ({ what: 'event' as const, id: `e${index}`, ...event })),
        ...states.map((state, index) => ({ what: 'state' as const, seq: index + 1, ...state })),
      ];
      const extra: Action[] = [...actions, ...Array<Action>(12).fill('derive')];
      return fc.record({
        signs: fc.constant(facts.signs),
        states: fc.constant(states),
        actions: fc
          .shuffledSubarray(extra)
          .chain((some) =>
            fc.shuffledSubarray([...some, ...actions], { minLength: some.length + actions.length }),
          ),
      });
    });

  interface Scene {
    base: number;
    run: string;
    instance: { id: string; name: string };
  }

  async function act(action: Action, { base, run, instance }: Scene): Promise<void> {
    if (action === 'derive') await derivation.deriveDue();
    else if (action.what === 'event')
      await fleet.inLicense((ctx) =>
        events.take(ctx, {
          instance: instance.id,
          steam_id: action.player,
          display_name: 'Aster',
          event: action.kind,
          occurred_at: new Date(base + action.at).toISOString(),
          event_id: `${run}-${action.id}`,
        }),
      );
    else
      await reports.instanceState(hostId, {
        v: 1,
        id: randomUUID(),
        boot: run,
        seq: action.seq,
        instance: instance.name,
        state: action.state as 'running',
        at: new Date(base + action.at).toISOString(),
      });
  }

  /**
   * Stores everything in the order of `inOrder`; the sessions must equal those of the simple form of the
   * rules.
   */
  async function expectPlain(
    { signs: all, states, actions }: { signs: Sign[]; states: Reported[]; actions: Action[] },
    inOrder: (actions: Action[], scene: Scene) => Promise<unknown>,
  ): Promise<void> {
    const now = Date.now();
    const base = now - 60 * hour - minute;
    const scene = {
      base,
      run: randomUUID(),
      instance: await fleet.createInstance(hostId, new Date(base - 1)),
    };
    await inOrder(actions, scene);
    await derivation.deriveDue();
    const shift = <T extends { at: number }>(items: readonly T[]) =>
      items.map((item) => ({ ...item, at: base + item.at }));
    const known = [{ at: base - 1, state: 'stopped' as const }, ...shift(states)];
    for (const player of players)
      expect(await storedSessions(scene.instance.id, player)).toEqual(
        plainSessions(
          shift(all).filter((sign) => sign.player === player),
          known,
          now,
        ),
      );
  }

  /** In the order of arrival; sessions are derived after each. */
  const becomingKnown = async (signs: Sign[], states: Reported[]) => {
    const actions: Action[] = [
      ...signs.map((event, index) => ({ what: 'event' as const, id: `e${index}`, ...event })),
      ...states.map((state, index) => ({ what: 'state' as const, seq: index + 1, ...state })),
    ];
    await expectPlain({ signs, states, actions }, async (all, scene) => {
      for (const action of all) {
        await act(action, scene);
        await act('derive', scene);
      }
    });
  };

  const [player = ''] = players;
  const joins: Sign[] = [
    { player, at: 59 * hour, kind: 'join' },
    { player, at: 59 * hour + 10 * minute, kind: 'join' },
  ];
  const at = 59 * hour + 20 * minute;

  it.each<[string, Reported[]]>([
    [
      'no new start at all',
      [
        { at, state: 'running' },
        { at, state: 'stopped' },
      ],
    ],
    [
      'a new start',
      [
        { at, state: 'stopped' },
        { at, state: 'running' },
      ],
    ],
    [
      'a crash',
      [
        { at: at - 5 * minute, state: 'running' },
        { at, state: 'running' },
        { at, state: 'crashed' },
      ],
    ],
  ])('the last of two simultaneous states counts: %s', async (_what, states) => {
    await becomingKnown(joins, states);
  });

  it('resumes when an earlier state shows that the server had not restarted', async () => {
    const [early, late] = [
      { at: at - 15 * minute, state: 'running' as const },
      { at, state: 'running' as const },
    ];
    const states = [early, late];
    await expectPlain({ signs: joins, states, actions: [] }, async (_actions, scene) => {
      for (const [index, event] of joins.entries())
        await act({ what: 'event', id: `e${index}`, ...event }, scene);
      await act({ what: 'state', seq: 2, ...late }, scene);
      await act('derive', scene);
      await act({ what: 'state', seq: 1, ...early }, scene);
    });
  });

  it('are the same for any order, repetition and time of derivation', async () => {
    await fc.assert(
      fc.asyncProperty(history, (known) =>
        expectPlain(known, async (actions, scene) => {
          for (const action of actions) await act(action, scene);
        }),
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('are the same when everything happens at once', async () => {
    await fc.assert(
      fc.asyncProperty(history, (known) =>
        expectPlain(known, (actions, scene) => Promise.all(actions.map((action) => act(action, scene)))),
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

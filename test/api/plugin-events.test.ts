// Operations of the area `plugin-events`, and the sessions derived from the reports of plugins and agents.
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { TestAgent } from '../support/agent.ts';
import { createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type PlayerEvent = Schemas['PlayerEvent'];

const minute = 60_000;
const day = 24 * 60 * minute;

let world: World;
let tenant: Tenant;
let instanceId: string;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant, { name: 'main' });
});

afterAll(() => world.close());

const at = (ms: number) => new Date(Date.now() + ms).toISOString();

const reported = (values: Partial<PlayerEvent> = {}): PlayerEvent => ({
  instance: instanceId,
  steam_id: '76561197960287930',
  display_name: 'Aster',
  event: 'join',
  occurred_at: at(-10 * minute),
  event_id: randomUUID(),
  ...values,
});

let lastSteamId = 76561197960300000n;
const newSteamId = () => String(++lastSteamId);

const send = (event: object, key: string | null = tenant.license.key): Test => {
  const test = world.call('post', '/api/plugin/player-event');
  return (key === null ? test : test.set('X-License-Key', key)).send(event);
};

const sendAll = (events: readonly object[], key = tenant.license.key): Test =>
  world.call('post', '/api/plugin/player-events').set('X-License-Key', key).send({ events });

const storedEvents = (steamId: string) =>
  world.database.query(
    `select event_id, kind, display_name from player_event where steam_id = $1 order by occurred_at`,
    [steamId],
  );

/** The player's sessions once nothing is left to derive. */
async function sessions(steamId: string) {
  await until(async () => {
    const due = await world.database.query('select from player_session_due where steam_id = $1', [steamId]);
    return due.length === 0;
  }, 'deriving the sessions');
  return world.database.query(
    `select started_at, ended_at, has_join, end_reason from player_session where steam_id = $1 order by started_at`,
    [steamId],
  );
}

describe('new players', () => {
  const most = 20_000;

  it("returns 409 beyond a license's daily maximum, listed one by one in a batch; known players are accepted", async () => {
    const own = await world.createTenant();
    const instance = await createInstance(world, own, { name: 'main' });
    const count = (values: Partial<PlayerEvent>) => reported({ instance, ...values });
    const [known, first, second] = [newSteamId(), newSteamId(), newSteamId()];
    await send(count({ steam_id: known }), own.license.key).expect(200);
    // Those of yesterday do not count.
    await world.database.query(
      `insert into player (license_id, steam_id, name, first_seen_at, last_seen_at, created_at)
       select $1, 'old' || n, 'Old', now(), now(), case when n <= 100 then now() - interval '1 day' else now() end
       from generate_series(1, $2::integer) as n`,
      [own.license.id, most + 100 - 2],
    );
    const events = [first, known, second, second].map((steam_id) => count({ steam_id }));
    const { body } = await sendAll(events, own.license.key).expect(200);
    expect(body).toMatchObject({ taken: 2, duplicates: 0 });
    expect((body as Schemas['PlayerEventBatchResult']).refused).toEqual(
      [2, 3].map((place) => ({
        pointer: `/events/${place}/steam_id`,
        detail: expect.stringContaining('20,000 new players today'),
      })),
    );
    const refused = await send(count({ steam_id: second }), own.license.key).expect(409);
    expect(refused.body).toMatchObject({ code: 'limit_reached', detail: expect.stringContaining('20,000') });
    expect(await storedEvents(second)).toEqual([]);
    await send(count({ steam_id: first }), own.license.key).expect(200);
    await world.database.query(
      `update player set created_at = now() - interval '1 day' where license_id = $1 and steam_id = $2`,
      [own.license.id, first],
    );
    await send(count({ steam_id: second }), own.license.key).expect(200);
  });
});

describe('submitPlayerEvent', () => {
  it('returns 200 and stores the event with the player, their name and their session', async () => {
    const steam_id = newSteamId();
    const join = reported({ steam_id });
    expect((await send(join).expect(200)).body).toEqual({ outcome: 'taken' });
    expect(await storedEvents(steam_id)).toEqual([
      { event_id: join.event_id, kind: 'join', display_name: 'Aster' },
    ]);
    const occurred = new Date(join.occurred_at);
    expect(
      await world.database.query(
        'select license_id, name, first_seen_at, last_seen_at from player where steam_id = $1',
        [steam_id],
      ),
    ).toEqual([
      { license_id: tenant.license.id, name: 'Aster', first_seen_at: occurred, last_seen_at: occurred },
    ]);
    expect(await sessions(steam_id)).toEqual([
      { started_at: occurred, ended_at: null, has_join: true, end_reason: null },
    ]);
  });

  it('returns 200 as a duplicate for the same id with any content, and the first one counts', async () => {
    const steam_id = newSteamId();
    const join = reported({ steam_id });
    await send(join).expect(200);
    for (const again of [join, { ...join, event: 'leave', occurred_at: at(-minute), display_name: 'Else' }])
      expect((await send(again).expect(200)).body).toEqual({ outcome: 'duplicate' });
    expect(await storedEvents(steam_id)).toMatchObject([{ kind: 'join', display_name: 'Aster' }]);
  });

  it('returns 200 once for one id that arrives many times concurrently with different times', async () => {
    const steam_id = newSteamId();
    const event_id = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(reported({ steam_id, event_id, occurred_at: at(-index * minute) })).expect(200),
      ),
    );
    const outcomes = responses.map(({ body }) => (body as Schemas['PlayerEventResult']).outcome);
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(await storedEvents(steam_id)).toHaveLength(1);
  });

  it('returns 200 for an id that another license has used', async () => {
    const other = await world.createTenant();
    const instance = await createInstance(world, other);
    const event = reported({ steam_id: newSteamId() });
    await send(event).expect(200);
    expect((await send({ ...event, instance }, other.license.key).expect(200)).body).toEqual({
      outcome: 'taken',
    });
  });

  it('returns 200 with the key in the body; the header wins where both are present', async () => {
    const { key } = tenant.license;
    await send({ ...reported(), license_key: key }, null).expect(200);
    await send({ ...reported(), license_key: 'GNTRY-WRONG' }).expect(200);
    const { body } = await send({ ...reported(), license_key: key }, 'GNTRY-WRONG').expect(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
  });

  it.each(['', 'x', null, 1, {}, 'GNTRY-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', undefined])(
    'returns 401 for the key %j in the body',
    async (license_key) => {
      await send({ ...reported(), license_key }, null).expect(401);
    },
  );

  it.each(['{', '', '[]', 'null', '"x"'])(
    'returns 401 for the body %j without a key, and reveals nothing about the body',
    async (text) => {
      await world
        .call('post', '/api/plugin/player-event')
        .set('Content-Type', 'application/json')
        .send(text)
        .expect(401);
    },
  );

  it('returns 401 at once for a key that was replaced', async () => {
    const other = await world.createTenant();
    const instance = await createInstance(world, other);
    await send(reported({ instance }), other.license.key).expect(200);
    const { body } = await world.call('post', '/api/license/rotate-key', other.owner).send({}).expect(200);
    await send(reported({ instance }), other.license.key).expect(401);
    await send(reported({ instance }), (body as { key: string }).key).expect(200);
  });

  it('returns 403 for a revoked license', async () => {
    const other = await world.createTenant();
    await world
      .call('patch', `/api/admin/licenses/${other.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    expect((await send(reported(), other.license.key).expect(403)).body).toMatchObject({
      code: 'license_revoked',
    });
  });

  it('returns 200 for an instance by name, 400 for an unknown one, one of another license and one on several hosts', async () => {
    await send(reported({ instance: 'main' })).expect(200);
    const foreign = await createInstance(world, await world.createTenant());
    for (const instance of [foreign, randomUUID(), 'nothing'])
      expect((await send(reported({ instance })).expect(400)).body).toMatchObject({
        code: 'validation_failed',
        errors: [{ in: 'body', pointer: '/instance', detail: 'No such instance.' }],
      });
    for (let host = 0; host < 2; host += 1) await createInstance(world, tenant, { name: 'twin' });
    expect((await send(reported({ instance: 'twin' })).expect(400)).body).toMatchObject({
      errors: [{ pointer: '/instance', detail: 'Several instances have that name; send the id.' }],
    });
  });

  it('returns 200 within the clock tolerance, 400 beyond it and for an event older than a week', async () => {
    await send(reported({ occurred_at: at(4 * minute) })).expect(200);
    await send(reported({ occurred_at: at(-7 * day + minute) })).expect(200);
    for (const occurred_at of [at(6 * minute), at(-7 * day - minute), '9999-01-01T00:00:00Z'])
      expect((await send(reported({ occurred_at })).expect(400)).body).toMatchObject({
        errors: [{ in: 'body', pointer: '/occurred_at' }],
      });
  });

  it.each([
    ['a control character', 'As\u0007ter\r\n', 'Aster'],
    ['text that is turned around', '\u202eretsA\u2066', 'retsA'],
    ['nothing to be seen', '\u200b \u2060', null],
    ['too much', '😀'.repeat(100), '😀'.repeat(64)],
    ['markup, which the displaying client must escape', '<b>@everyone</b>', '<b>@everyone</b>'],
  ])('returns 200 for a name with %s, and keeps its visible part', async (_what, display_name, kept) => {
    const steam_id = newSteamId();
    await send(reported({ steam_id, display_name })).expect(200);
    expect(await storedEvents(steam_id)).toMatchObject([{ display_name: kept ?? steam_id }]);
  });

  it.each([
    ['steam_id', '0'],
    ['steam_id', '76561197960265728'],
    ['steam_id', 7],
    ['display_name', 'x'.repeat(257)],
    ['display_name', 'a\u0000b'],
    ['event', 'kick'],
    ['occurred_at', 'yesterday'],
    ['event_id', ''],
    ['event_id', 'a b'],
    ['instance', ''],
  ])('returns 400 when %s is %j', async (field, value) => {
    await send({ ...reported(), [field]: value }).expect(400);
  });

  it('has limits of its own, for each license', async () => {
    const { headers } = await send(reported()).expect(200);
    expect(headers['ratelimit-policy']).toContain('"plugin-events-principal"');
  });
});

describe('submitPlayerEvents', () => {
  it('returns 200 with the numbers of new and known events, and the refusals', async () => {
    const steam_id = newSteamId();
    const known = reported({ steam_id });
    await send(known).expect(200);
    const fresh = reported({ steam_id, event: 'leave', occurred_at: at(-minute) });
    const { body } = await sendAll([
      known,
      fresh,
      fresh,
      reported({ instance: 'nothing' }),
      reported({ occurred_at: at(10 * minute) }),
    ]).expect(200);
    expect(body).toEqual({
      taken: 1,
      duplicates: 2,
      refused: [
        { pointer: '/events/3/instance', detail: 'No such instance.' },
        { pointer: '/events/4/occurred_at', detail: expect.stringContaining('5 minutes ahead') as string },
      ],
    });
    expect(await sessions(steam_id)).toMatchObject([{ has_join: true, end_reason: 'leave' }]);
  });

  it('returns 200 for the maximum number, 400 for more, for none, and for a malformed event', async () => {
    const many = Array.from({ length: 500 }, () => reported({ steam_id: newSteamId() }));
    expect((await sendAll(many).expect(200)).body).toEqual({ taken: 500, duplicates: 0, refused: [] });
    expect((await sendAll(many).expect(200)).body).toEqual({ taken: 0, duplicates: 500, refused: [] });
    await sendAll([...many, reported()]).expect(400);
    await sendAll([]).expect(400);
    const { body } = await sendAll([reported(), { ...reported(), steam_id: 'x' }]).expect(400);
    expect(body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '/events/1/steam_id' })]) as [],
    });
  });

  it('returns 200 at once for the same events from many senders, and stores each once', async () => {
    const events = Array.from({ length: 50 }, () => reported({ steam_id: newSteamId() }));
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        sendAll(index % 2 === 0 ? events : events.toReversed()).expect(200),
      ),
    );
    const counts = responses.map(({ body }) => (body as Schemas['PlayerEventBatchResult']).taken);
    expect(counts.reduce((sum, count) => sum + count)).toBe(50);
  });
});

describe('players', () => {
  it('have their latest name and all former names', async () => {
    const steam_id = newSteamId();
    const late = { steam_id, display_name: 'Late', occurred_at: at(-minute) };
    await send(reported(late)).expect(200);
    await send(reported({ steam_id, display_name: 'Early', occurred_at: at(-60 * minute) })).expect(200);
    expect(await world.database.query('select name from player where steam_id = $1', [steam_id])).toEqual([
      { name: 'Late' },
    ]);
    expect(
      await world.database.query('select name from player_name where steam_id = $1 order by first_seen_at', [
        steam_id,
      ]),
    ).toEqual([{ name: 'Early' }, { name: 'Late' }]);
  });
});

describe('sessions', () => {
  /** An instance that its agent reports to run. */
  async function running(): Promise<{ agent: TestAgent; instance: string }> {
    const agent = await TestAgent.connect(world, tenant);
    await agent.hello(['main']);
    const change = { v: 1, id: randomUUID(), boot: agent.boot, seq: 1, instance: 'main', state: 'running' };
    await agent.request('instance-state', { ...change, at: at(-60 * minute) });
    const [row] = await world.database.query<{ id: string }>(
      'select id from game_instance where host_id = $1',
      [agent.hostId],
    );
    return { agent, instance: row?.id ?? '' };
  }

  it('end at the crash that the agent reports, also when it reports it late', async () => {
    const { agent, instance } = await running();
    const steam_id = newSteamId();
    const crashedAt = at(-5 * minute);
    await send(reported({ instance, steam_id })).expect(200);
    expect(await sessions(steam_id)).toMatchObject([{ ended_at: null }]);
    const change = { v: 1, id: randomUUID(), boot: agent.boot, seq: 2, instance: 'main', state: 'crashed' };
    await agent.request('instance-state', { ...change, at: crashedAt });
    expect(await sessions(steam_id)).toMatchObject([
      { ended_at: new Date(crashedAt), end_reason: 'server_down' },
    ]);
  });

  it('end with the last heartbeat of a host that goes silent, and continue when the same process is heard again', async () => {
    const { agent, instance } = await running();
    const report = { name: 'main', state: 'running' as const, uptime_seconds: 3_600 };
    agent.publish('heartbeat', agent.heartbeat([report]));
    const heard = await until(async () => {
      const [row] = await world.database.query<{ last_seen_at: Date }>(
        'select last_seen_at from game_instance where id = $1 and uptime_seconds > 0',
        [instance],
      );
      return row?.last_seen_at;
    }, 'the heartbeat');
    const steam_id = newSteamId();
    await send(reported({ instance, steam_id })).expect(200);
    await sessions(steam_id);
    agent.publish('bye', { v: 1, sent_at: at(0), boot: agent.boot, reason: 'update' });
    await until(async () => {
      const [session] = await sessions(steam_id);
      return (
        session?.['end_reason'] === 'server_down' && expect(session['ended_at']).toEqual(heard) === undefined
      );
    }, 'the end of the session');
    agent.publish('heartbeat', {
      ...agent.heartbeat([{ ...report, uptime_seconds: 3_700 }]),
      boot: randomUUID(),
    });
    await until(async () => {
      const [session] = await sessions(steam_id);
      return session?.['end_reason'] === null;
    }, 'the continued session');
  });

  it('end after a day of silence', async () => {
    const steam_id = newSteamId();
    await send(reported({ steam_id, occurred_at: at(-2 * day) })).expect(200);
    expect(await sessions(steam_id)).toMatchObject([{ end_reason: 'silence' }]);
    const lasting = newSteamId();
    await send(reported({ steam_id: lasting })).expect(200);
    await sessions(lasting);
    // Moves it back by another day.
    for (const [table, columns] of [
      ['player_event', ['occurred_at']],
      ['player_session', ['started_at', 'last_sign_at']],
    ] as const)
      await world.database.query(
        `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '1 day'`).join(', ')}
         where steam_id = $1`,
        [lasting],
      );
    await until(async () => (await sessions(lasting))[0]?.['end_reason'] === 'silence', 'the silence');
  });
});

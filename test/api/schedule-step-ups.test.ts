// Changes of schedules that require a step-up: those after which fewer backups are kept.
import type { components } from '../../generated/platform.d.ts';
import { createInstance, createKeyWithText } from '../support/rows.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let instanceId: string;
/** The owner without a step-up, as an attacker with a stolen access token would be. */
let unconfirmed: Member;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant);
  unconfirmed = await signIn(world.url, tenant.owner.email);
});

afterAll(() => world.close());

async function scheduled(action: object): Promise<string> {
  const { body } = await world
    .call('post', '/api/schedules', unconfirmed)
    .send({ name: 'Nightly', instance_id: instanceId, action, cron: '0 3 * * *', time_zone: 'UTC' })
    .expect(201);
  return `/api/schedules/${(body as components['schemas']['Schedule']).id}`;
}

const backup = (keepLast: number) => ({ kind: 'backup', keep_last: keepLast });

const destroying: [string, (path: string, member: Member) => ReturnType<World['call']>][] = [
  ['keeping fewer', (path, member) => world.call('patch', path, member).send({ action: backup(6) })],
  [
    'doing something else',
    (path, member) => world.call('patch', path, member).send({ action: { kind: 'restart' } }),
  ],
  ['deleting it', (path, member) => world.call('delete', path, member)],
];

it.each(destroying)('a schedule of backups: %s requires a step-up', async (_title, change) => {
  const path = await scheduled(backup(7));
  const { status, body } = await change(path, unconfirmed);
  expect([status, body]).toMatchObject([403, { code: 'step_up_required' }]);
  const kept = await world.call('get', path, unconfirmed).expect(200);
  expect(kept.body).toMatchObject({ action: backup(7), version: 1 });
  expect((await change(path, tenant.owner)).status).toBeLessThan(300);
});

it.each(destroying)('an API key needs no step-up: %s', async (_title, change) => {
  const path = await scheduled(backup(7));
  const { key } = await createKeyWithText(world, tenant);
  const { status } = await change(path, { token: '' } as Member)
    .unset('Authorization')
    .set('X-Api-Key', key);
  expect(status).toBeLessThan(300);
});

it('changes that keep as many backups or more require none', async () => {
  const path = await scheduled(backup(7));
  const update = (changes: object) => world.call('patch', path, unconfirmed).send(changes).expect(200);
  await update({ name: 'At night', cron: '0 4 * * *', is_enabled: false });
  await update({ action: backup(7) });
  await update({ action: backup(8) });
  await world.call('patch', `${path}/toggle`, unconfirmed).expect(200);
});

it('schedules that create no backups require none', async () => {
  const path = await scheduled({ kind: 'restart' });
  await world
    .call('patch', path, unconfirmed)
    .send({ action: backup(1) })
    .expect(200);
  const other = await scheduled({ kind: 'stop' });
  await world.call('delete', other, unconfirmed).expect(204);
});

// Console lines in the runs of schedules are visible only to users who can watch the console.
import type { components } from '../../generated/platform.d.ts';
import { createCommand, createInstance, createSchedule } from '../support/rows.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Run = components['schemas']['ScheduleRun'];

let world: World;
let tenant: Tenant;
let instanceId: string;
let watching: Member;
let counting: Member;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  instanceId = await createInstance(world, tenant);
  watching = await world.addMemberWith(tenant, { 'schedules.view': true, 'console.view': true });
  counting = await world.addMemberWith(tenant, { 'schedules.view': true });
});

afterAll(() => world.close());

const secret = '"find secret" replied: the secret';

/** A schedule with a run that ended like this. */
async function ranWith(kind: string | null, values: object): Promise<string> {
  const scheduleId = await createSchedule(world, tenant, { instance_id: instanceId });
  const commandId =
    kind === null ? null : await createCommand(world, tenant, { instance_id: instanceId, kind });
  await world.database.query(
    `insert into schedule_run (license_id, schedule_id, command_id, status, detail, error_code, finished_at)
     select $1, $2, $3, run.status, run.detail, run.error_code, now()
     from jsonb_to_record($4) as run (status text, detail text, error_code text)`,
    [tenant.license.id, scheduleId, commandId, JSON.stringify(values)],
  );
  return `/api/schedules/${scheduleId}/runs`;
}

async function runAs(member: Member, path: string): Promise<Run | undefined> {
  const { body } = await world.call('get', path, member).expect(200);
  return (body as components['schemas']['ScheduleRunPage']).data[0];
}

it('the reply to a line needs console.view, whichever action the schedule has today', async () => {
  const path = await ranWith('type', { status: 'succeeded', detail: secret });
  expect(await runAs(watching, path)).toMatchObject({ detail: secret });
  expect(await runAs(counting, path)).toMatchObject({ status: 'succeeded', detail: null, error: null });
});

it('the message of a failed line does too; its code does not', async () => {
  const path = await ranWith('type', { status: 'failed', detail: secret, error_code: 'internal' });
  expect(await runAs(watching, path)).toMatchObject({ error: { code: 'internal', detail: secret } });
  expect(await runAs(counting, path)).toMatchObject({ error: { code: 'internal', detail: '' } });
});

it.each([
  ['of other commands', 'restart', { status: 'succeeded', detail: 'The process runs.' }],
  ['of the platform', null, { status: 'skipped', detail: 'The platform was not there.' }],
])('details %s are visible to every user who can see schedules', async (_title, kind, values) => {
  const path = await ranWith(kind, values);
  expect(await runAs(counting, path)).toMatchObject({ detail: values.detail });
});

// Operations of the area `admin-jobs`: listing, retrying and deleting dead jobs.
import type { components } from '../../generated/platform.d.ts';
import { createDeadJob } from '../support/rows.ts';
import { World } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const addJob = (payload: object) => createDeadJob(world, payload);

async function addLivingJob(payload: object): Promise<string> {
  const [job] = await world.database.query<{ id: string }>(
    `select id::text as id from graphile_worker.add_job('relay-commands', $1::json)`,
    [JSON.stringify(payload)],
  );
  return job?.id ?? '';
}

const list = async (query: object = {}) =>
  (await world.call('get', '/api/admin/jobs', world.admin).query(query).expect(200))
    .body as Schemas['DeadJobPage'];

const attemptsOf = (id: string) =>
  world.database.query('select attempts from graphile_worker._private_jobs where id = $1', [id]);

const audited = async (id: string) => {
  const { body } = await world
    .call('get', '/api/admin/audit', world.admin)
    .query({ target_type: 'job', target_id: id })
    .expect(200);
  return (body as Schemas['AuditEntryPage']).data.map(({ action, operation }) => [action, operation]);
};

it('listDeadJobs: returns 200 with jobs out of attempts, page by page, without the content of mail', async () => {
  const ids = [await addJob({ host_id: 'one' }), await addJob({ id: 'two', sealed: 'secret' })];
  const living = await addLivingJob({ host_id: 'three' });
  const first = await list({ limit: 1 });
  const second = await list({ limit: 1, cursor: first.next_cursor });
  expect([...first.data, ...second.data]).toEqual([
    {
      id: ids[0],
      task: 'relay-commands',
      payload: { host_id: 'one' },
      attempts: 25,
      last_error: 'it failed',
      created_at: expect.any(String),
      failed_at: expect.any(String),
      held_since: null,
    },
    expect.objectContaining({ id: ids[1], payload: { id: 'two' } }),
  ]);
  expect((await list()).data.map(({ id }) => id)).not.toContain(living);
});

it('listDeadJobs: returns 200 with jobs locked for too long, which cannot be retried', async () => {
  const [fresh, stuck] = [await addLivingJob({ host_id: 'busy' }), await addLivingJob({ host_id: 'stuck' })];
  const hold = (id: string, since: string) =>
    world.database.query(
      `update graphile_worker._private_jobs set attempts = 1, locked_by = 'w', locked_at = now() - $2::interval where id = $1`,
      [id, since],
    );
  await hold(fresh, '5 minutes');
  await hold(stuck, '16 minutes');
  expect((await list({ status: 'stuck' })).data).toEqual([
    expect.objectContaining({ id: stuck, attempts: 1, last_error: null, held_since: expect.any(String) }),
  ]);
  expect((await list({ status: 'dead' })).data.map(({ id }) => id)).not.toContain(stuck);
  await world.call('post', `/api/admin/jobs/${stuck}/retry`, world.admin).expect(404);
});

it('retryDeadJob: returns 204 and restores all attempts of the job', async () => {
  const id = await addJob({ host_id: 'four' });
  await world.call('post', `/api/admin/jobs/${id}/retry`, world.admin).expect(204);
  expect(await attemptsOf(id)).toEqual([{ attempts: 0 }]);
  expect(await audited(id)).toEqual([['updated', 'retryDeadJob']]);
  await world.call('post', `/api/admin/jobs/${id}/retry`, world.admin).expect(404);
  expect(await audited(id)).toHaveLength(1);
});

it('deleteDeadJob: returns 204 and deletes the job; a job with attempts left stays', async () => {
  const [id, living] = [await addJob({ host_id: 'five' }), await addLivingJob({ host_id: 'six' })];
  await world.call('delete', `/api/admin/jobs/${id}`, world.admin).expect(204);
  expect(await attemptsOf(id)).toEqual([]);
  expect(await audited(id)).toEqual([['deleted', 'deleteDeadJob']]);
  await world.call('delete', `/api/admin/jobs/${id}`, world.admin).expect(404);
  await world.call('delete', `/api/admin/jobs/${living}`, world.admin).expect(404);
  expect(await attemptsOf(living)).toEqual([{ attempts: 0 }]);
});

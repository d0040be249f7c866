// A read-only database: requests get 503 with Retry-After, and load balancers see the process as not ready.
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

it('returns 503 unavailable with Retry-After, and not ready, for as long as the database is read-only', async () => {
  const world = await World.create({ roles: ['api'] });
  try {
    const name = new URL(world.database.url).pathname.slice(1);
    await world.database.query(`alter database ${name} set default_transaction_read_only = on`);
    // Open sessions keep the mode in which they began.
    await world.database
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined);
    // A caller of an ended session gets a retryable error too, with another reason.
    const refused = await until(async () => {
      const response = await world
        .call('post', '/api/admin/licenses', world.admin)
        .send({ name: 'No' })
        .expect(503);
      expect(response.body).toMatchObject({ code: 'unavailable' });
      return /read-only/.test((response.body as { detail: string }).detail) && response;
    }, 'the refusal of a write');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const { body } = await world.call('get', '/readyz').expect(503);
    expect(body).toMatchObject({ status: 'not ready', checks: { database: 'nothing can be written' } });
    // From then on new sessions accept writes, and earlier ones are not used.
    await world.database.query(`begin; set transaction read write; alter database ${name} reset all; commit`);
    await world.call('post', '/api/admin/licenses', world.admin).send({ name: 'Yes' }).expect(201);
    // Probes share a result for a short time.
    await until(async () => (await world.call('get', '/readyz')).status === 200, 'being ready again');
  } finally {
    await world.close();
  }
});

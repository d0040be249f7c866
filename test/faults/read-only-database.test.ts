// A database that takes no writes: requests say so and when to come back, and load balancers hear of it.
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

it('503 unavailable with Retry-After, and not ready, for as long as the database is read-only', async () => {
  const world = await World.create({ roles: ['api'] });
  try {
    const name = new URL(world.database.url).pathname.slice(1);
    await world.database.query(`alter database ${name} set default_transaction_read_only = on`);
    // Sessions that are open keep what they began with.
    await world.database
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined);
    // Whoever gets a session that was ended is told to try again as well, and of another reason.
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
    // From then on new sessions take writes, and those of before are not used.
    await world.database.query(`begin; set transaction read write; alter database ${name} reset all; commit`);
    await world.call('post', '/api/admin/licenses', world.admin).send({ name: 'Yes' }).expect(201);
    // Probes share a result for a moment.
    await until(async () => (await world.call('get', '/readyz')).status === 200, 'being ready again');
  } finally {
    await world.close();
  }
});

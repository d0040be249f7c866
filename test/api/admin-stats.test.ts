// Operations of the area `admin-stats`: key figures of the platform.
import { randomUUID } from 'node:crypto';
import {
  createHost,
  createInstance,
  createReseller,
  createResellerLicense,
  createSubscription,
  insertRow,
} from '../support/rows.ts';
import { World } from '../support/world.ts';

const noGrowth = { last_30_days: 0, previous_30_days: 0 };

async function newLicense(world: World): Promise<{ license_id: string }> {
  const name = randomUUID();
  const values = { key: name, name, subdomain: name, companion_token_hash: name };
  return { license_id: await insertRow(world, 'license', values) };
}

it('getPlatformStats: returns 200 with licenses, users, revenue, servers and signups of all licenses', async () => {
  const world = await World.create({ roles: ['api'] });
  try {
    const read = async () =>
      (await world.call('get', '/api/admin/stats', world.admin).expect(200)).body as unknown;
    expect(await read()).toEqual({
      licenses: { active: 0, revoked: 0, suspended: 0 },
      users: { total: 1, disabled: 0, super_admins: 1 },
      monthly_recurring_revenue: [],
      servers: { hosts: 0, online_hosts: 0, instances: 0, running_instances: 0 },
      early_access_signups: 0,
      growth: {
        licenses: noGrowth,
        users: { last_30_days: 1, previous_30_days: 0 },
        hosts: noGrowth,
        early_access_signups: noGrowth,
      },
    });
    const [one, two] = [await world.createTenant(), await world.createTenant()];
    const reseller = await createReseller(world);
    const sold = await createResellerLicense(world, one, {
      reseller_id: reseller.id,
      ...(await newLicense(world)),
    });
    await world
      .call('patch', `/api/host/licenses/${sold}`, { token: reseller.key })
      .send({ status: 'suspended' })
      .expect(200);
    await world
      .call('patch', `/api/admin/licenses/${two.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    await world.database.query('update user_account set is_disabled = true where email = $1', [
      two.owner.email,
    ]);
    const host_id = await createHost(world, one, { status: 'online' });
    await createInstance(world, one, { host_id, state: 'running' });
    await createInstance(world, two);
    await createSubscription(world, one, { amount: '9.99' });
    await createSubscription(world, one, { amount: '120.00', period: 'year' });
    await createSubscription(world, two, { amount: '7.00' }); // belongs to a revoked license: nothing is charged
    await createSubscription(world, two, { amount: '5.00', currency: 'EUR', status: 'cancelled' });
    await insertRow(world, 'early_access_signup', { email: 'a@example.com', server_count: 1 });
    await world.database.query(
      `update early_access_signup set created_at = now() - interval '45 days';
       update license set created_at = now() - interval '61 days' where status = 'active'`,
    );
    expect(await read()).toEqual({
      licenses: { active: 1, revoked: 1, suspended: 1 },
      users: { total: 3, disabled: 1, super_admins: 1 },
      monthly_recurring_revenue: [{ amount: '19.99', currency: 'USD' }],
      servers: { hosts: 2, online_hosts: 1, instances: 2, running_instances: 1 },
      early_access_signups: 1,
      growth: {
        licenses: { last_30_days: 2, previous_30_days: 0 },
        users: { last_30_days: 3, previous_30_days: 0 },
        hosts: { last_30_days: 2, previous_30_days: 0 },
        early_access_signups: { last_30_days: 0, previous_30_days: 1 },
      },
    });
  } finally {
    await world.close();
  }
});

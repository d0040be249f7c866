// Runs the section of docs/operations.md on keys and tokens of hosts twice, as a newly signed-in user.
import { runGuideTwice } from '../support/guide.ts';
import { createHost } from '../support/rows.ts';
import { password, signIn, World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create();
});
afterAll(async () => {
  await world.close();
});

it('docs/operations.md resets the key of a host and rotates the companion token', async () => {
  const tenant = await world.createTenant();
  const { token } = await signIn(world.url, tenant.owner.email);
  const host = await createHost(world, tenant);
  const runs = await runGuideTwice(
    'docs/operations.md',
    { GANTRY: world.url, TOKEN: token, PASSWORD: password, HOST_ID: host },
    [],
    'Agent hosts and their keys',
  );
  for (const run of runs) {
    expect(run).toMatchObject({ status: 0, processes: [] });
    expect(run.output).toMatch(/"key_reset_expires_at":"2.*"companion_token":"(?!null)/s);
    expect(run.output).not.toContain(tenant.license.companion_token);
  }
});

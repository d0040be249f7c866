// Starts and stops a game server over the API, and waits for the end of that command.
import type { components } from '../../generated/platform.d.ts';
import { until } from './until.ts';
import type { Tenant, World } from './world.ts';

type Command = components['schemas']['Command'];

/** Returns how the command ended. */
export async function power(
  act: 'start' | 'stop',
  { world, tenant, instanceId }: { world: World; tenant: Tenant; instanceId: string },
): Promise<Command['status']> {
  const { body } = await world.call('post', `/api/instances/${instanceId}/${act}`, tenant.owner).expect(202);
  const path = `/api/commands/${(body as Command).id}`;
  return until(async () => {
    const { status, finished_at } = (await world.call('get', path, tenant.owner)).body as Command;
    return finished_at !== null && status;
  }, `the end of the command ${act}`);
}

// Finds the agent that runs an instance, and the instance's name on that agent.
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';

export interface InstanceAddress {
  hostId: string;
  instance: string;
}

/** Its transaction ends before the agent is asked. Throws if the instance is not visible to the caller. */
export async function addressOfInstance(ctx: Ctx, instanceId: string): Promise<InstanceAddress> {
  const found = await ctx.read((queries) =>
    queries
      .selectFrom('game_instance')
      .select(['host_id', 'name'])
      .where('id', '=', instanceId)
      .executeTakeFirst(),
  );
  if (found === undefined) throw notFound('instance');
  return { hostId: found.host_id, instance: found.name };
}

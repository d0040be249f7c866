// Finds out which agent to ask about an instance, and what that agent calls it.
import type { Ctx } from '../context.ts';
import { notFound } from '../errors.ts';

export interface InstanceAddress {
  hostId: string;
  instance: string;
}

/** Its transaction is over before the agent is asked. Throws when the caller sees no such instance. */
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

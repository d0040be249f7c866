// The commands in force on an instance for players who join and leave, and ending them.
import { sql } from 'kysely';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { PluginApplication, type GameInstance } from '../../entities/index.ts';
import { recordEvent } from '../../events/record.ts';
import type { PlayerMoment } from '../../plugin-configs/kind.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';

export interface AppliedCommands {
  commands: readonly string[];
  application_id: string;
  requested_by: string | null;
  applied_at: string;
}

export interface CommandsInForce {
  on_connect: AppliedCommands | null;
  on_disconnect: AppliedCommands | null;
}

export async function commandsInForce(queries: Queries, instanceId: string): Promise<CommandsInForce> {
  await refuseUnknownInstance(queries, instanceId);
  return {
    on_connect: await lastApplied(queries, instanceId, 'join'),
    on_disconnect: await lastApplied(queries, instanceId, 'leave'),
  };
}

/** The list that was applied last counts; an empty list ends the list before it. */
async function lastApplied(
  queries: Queries,
  instanceId: string,
  moment: PlayerMoment,
): Promise<AppliedCommands | null> {
  const applied = await queries
    .selectFrom('plugin_application')
    .select([
      'id as application_id',
      'requested_by',
      sql<string>`finished_at`.as('applied_at'),
      sql<string[]>`player_commands -> ${moment}`.as('commands'),
    ])
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'succeeded')
    .where('player_commands', 'is not', null)
    .where(sql<boolean>`player_commands -> ${moment} is not null`)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return applied === undefined || applied.commands.length === 0 ? null : applied;
}

/** Commands on their way to the agent are still typed. */
export async function endCommands(em: EntityManager, { id, hostId, name }: GameInstance): Promise<void> {
  const endedCount = await em.nativeUpdate(
    PluginApplication,
    { instanceId: id, status: 'succeeded', playerCommands: { $ne: null } },
    { playerCommands: null },
  );
  if (endedCount > 0)
    await recordEvent(em, 'config.player_commands_cleared', {
      subject: id,
      instanceId: id,
      hostId,
      data: { instance_name: name },
    });
}

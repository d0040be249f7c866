// Records the outcomes of player commands in the record of player actions.
import type { EntityManager } from '../../database/connection.ts';

interface Settled {
  id: string;
  license_id: string;
  instance_id: string | null;
  kind: string;
  steam_id: string;
  status: string;
}

/** Errors of commands that may have reached the game nevertheless; a ban that ended so is lifted as well. */
export const uncertain = ['interrupted', 'internal', 'game_unreachable'] as const;

export async function settlePlayerActions(em: EntityManager, commandIds: string[]): Promise<void> {
  const settled = await em.execute<Settled[]>(
    `update player_action as action set
       status = command.status, detail = command.detail, error_code = command.error_code,
       finished_at = command.finished_at
     from command
     where command.id = any(?::uuid[]) and command.status in ('succeeded', 'failed', 'expired')
       and action.license_id = command.license_id and action.command_id = command.id
     returning action.*`,
    [`{${commandIds.join(',')}}`],
  );
  for (const action of settled) {
    if (action.status !== 'succeeded') continue;
    if (action.kind === 'ban' || action.kind === 'unban') await endEarlierBans(em, action);
  }
}

/** Only the newest ban is in force, and none after an unban. */
async function endEarlierBans(em: EntityManager, { id, license_id, instance_id, steam_id }: Settled) {
  await em.execute(
    `update player_action set ended_at = license_now()
     where license_id = ? and instance_id = ? and steam_id = ? and id < ?
       and kind = 'ban' and (status = 'succeeded' or error_code = any(?::text[])) and ended_at is null`,
    [license_id, instance_id, steam_id, id, `{${uncertain.join(',')}}`],
  );
}

// Writes the record of an action on a player, together with the command that performs it, and notes about players.
import type { EntityManager } from '../../database/connection.ts';
import { GameInstance, PlayerAction } from '../../entities/index.ts';
import type { InstanceCommandRow } from '../commands/index.ts';

export interface NewAction {
  kind: Exclude<PlayerAction['kind'], 'note'>;
  steamId: string;
  command: InstanceCommandRow;
  /** The reason, or the message. */
  text?: string | undefined;
  until?: Date | undefined;
}

export async function recordAction(
  em: EntityManager,
  { kind, steamId, command, text, until }: NewAction,
): Promise<void> {
  const { name } = await em.findOneOrFail(GameInstance, command.instance_id);
  em.create(PlayerAction, {
    kind,
    steamId,
    instanceId: command.instance_id,
    instanceName: name,
    commandId: command.id,
    requestedBy: command.requested_by,
    text: text ?? null,
    until: until ?? null,
  });
  await em.flush();
}

export interface NewNote extends Pick<PlayerAction, 'steamId' | 'requestedBy'> {
  instance: GameInstance;
  text: string;
  at: Date;
}

/** Returns the id of the note. */
export async function recordNote(em: EntityManager, { instance, at, ...note }: NewNote): Promise<string> {
  const action = em.create(PlayerAction, {
    ...note,
    kind: 'note',
    instanceId: instance.id,
    instanceName: instance.name,
    status: 'succeeded',
    finishedAt: at,
  });
  await em.flush();
  return action.id;
}

// Writes the record of an action on a player, together with the command that performs it, and notes about players.
import type { EntityManager } from '../../database/connection.ts';
import { GameInstance, PlayerAction } from '../../entities/index.ts';
import type { Queries } from '../../database/reader.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { isSandbox } from '../../preconditions/sandboxes.ts';
import type { InstanceCommandRow } from '../commands/index.ts';

/** Notes about one player. They are kept indefinitely. */
export const maxNotesOfPlayer = 1_000;
export const maxNotesOfSandbox = 1_000;

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

/** Throws `limit_reached` if no further note about the player fits, or none in the sandbox. */
export async function refuseFurtherNotes(
  em: EntityManager,
  queries: Queries,
  { licenseId, steamId }: { licenseId: string; steamId: string },
): Promise<void> {
  const notes = { kind: 'note' } as const;
  await refuseBeyond(em, {
    subject: `notes ${licenseId} ${steamId}`,
    max: maxNotesOfPlayer,
    count: () => em.count(PlayerAction, { ...notes, steamId }),
    detail: `A license has at most ${maxNotesOfPlayer} notes about a player.`,
  });
  if (await isSandbox(queries, licenseId))
    await refuseBeyond(em, {
      subject: `notes ${licenseId}`,
      max: maxNotesOfSandbox,
      count: () => em.count(PlayerAction, notes),
      detail: `A sandbox has at most ${maxNotesOfSandbox} notes.`,
    });
}

// What each kind of schedule does: the permission it needs, and the command that the agent receives.
import { randomInt } from 'node:crypto';
import type { CommandVerb } from '../../platform-contract/bus-types.ts';
import type { PermissionMap } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { GameMap, type GameInstance, type Schedule } from '../../entities/index.ts';
import { invalidField, notFound } from '../../errors.ts';
import { backupLimit } from '../backups/index.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import type { Request } from '../commands/index.ts';
import { checkedPath } from '../files/path.ts';
import { limitReached } from '../../preconditions/limits.ts';
import type { Permission } from '../auth/role-permissions.ts';
import { refuseBeyondOwn } from '../team/access.ts';
import { refuseMixedMaps } from '../wipes/refusals.ts';
import { countdownOf } from './countdown.ts';

type Action = Schemas['ScheduleAction'];

/** The permission for the action without a schedule. */
const permissionOf: Readonly<Record<Action['kind'], Permission>> = {
  announcement: 'console.input',
  backup: 'backups.manage',
  command: 'console.input',
  plugin_reload: 'plugins.manage',
  restart: 'instances.power',
  start: 'instances.power',
  stop: 'instances.power',
  wipe: 'wipes.trigger',
};

/** The verb of the agent command. */
const verbOf: Readonly<Record<Action['kind'], CommandVerb>> = {
  announcement: 'announce',
  backup: 'create_backup',
  command: 'type',
  plugin_reload: 'reload_plugin',
  restart: 'restart',
  start: 'start',
  stop: 'stop',
  wipe: 'wipe',
};

/** Throws if the caller lacks a permission that the action needs: a schedule grants no more than its author has. */
export function refuseUnlessAllowed(held: PermissionMap, action: Action): void {
  const isAnnounced = countdownOf(action) !== undefined;
  refuseBeyondOwn(held, {
    [permissionOf[action.kind]]: true,
    ...(isAnnounced && { [permissionOf.announcement]: true }),
  });
}

/** Whether changing or deleting the schedule may lead to the deletion of backups. */
export function keepsFewerBackups(before: Action, after?: Action): boolean {
  if (before.kind !== 'backup') return false;
  return after?.kind !== 'backup' || after.keep_last < before.keep_last;
}

/** The highest seed of a map. */
const highestSeed = 2_147_483_647;
/** Commands expire after 10 minutes: a restart hours late would surprise more than a missing one. */
const lifetimeMs = 10 * 60_000;

/** Throws for an action that no run could ever perform. */
export function checkAction(action: Action): void {
  if (action.kind === 'backup') action.paths?.forEach(checkedPath);
  if (action.kind !== 'wipe') return;
  const { seed, random_seed: isRandom = false, map_id: mapId, kind } = action.wipe;
  if (isRandom && (seed !== undefined || mapId !== undefined || kind === 'blueprints'))
    throw invalidField({
      in: 'body',
      pointer: '/action/wipe/random_seed',
      detail: 'must be omitted with a seed or an uploaded map, and for a wipe that keeps the map',
    });
  refuseMixedMaps(action.wipe, '/action/wipe');
}

/** Throws unless the instance has the capabilities that the action needs, as its agent reports them. */
export function refuseIncapable(instance: GameInstance, action: Action): void {
  refuseUnlessCapable(instance, verbOf[action.kind]);
  if (countdownOf(action) !== undefined) refuseUnlessCapable(instance, 'announce');
}

/**
 * Throws when the instance has reached the maximum of backups. Takes no lock, because the lock order forbids it here:
 * callers hold the lock of the host's commands. The agent enforces the limit in any case.
 */
export async function refuseWithoutRoom(
  em: EntityManager,
  { instanceId, action }: Pick<Schedule, 'instanceId' | 'action'>,
): Promise<void> {
  const limit = backupLimit(em, instanceId);
  if (action.kind === 'backup' && (await limit.count()) >= limit.max) throw limitReached(limit);
}

/** Throws unless the map of a wipe belongs to the license. If it is deleted later, the run fails. */
export async function refuseUnknownMap(em: EntityManager, action: Action): Promise<void> {
  const mapId = action.kind === 'wipe' ? action.wipe.map_id : undefined;
  if (mapId !== undefined && (await em.findOne(GameMap, mapId)) === null) throw notFound('map');
}

/** What a run starts: a command, or a wipe, which has its own history. */
export type Work = { wipe: Schemas['WipeRequest'] } | { request: Request };

export function workOf({ action, name: by }: Pick<Schedule, 'action' | 'name'>): Work {
  switch (action.kind) {
    case 'announcement':
      return { request: { verb: 'announce', args: { message: action.message, by }, lifetimeMs } };
    case 'backup': {
      const { paths } = action;
      const args = { kind: 'scheduled', note: by, ...(paths !== undefined && { paths }) };
      return { request: { verb: 'create_backup', args, lifetimeMs } };
    }
    case 'command':
      return { request: { verb: 'type', args: { line: action.line, by }, lifetimeMs } };
    case 'plugin_reload':
      return { request: { verb: 'reload_plugin', args: { plugin: action.plugin, by }, lifetimeMs } };
    case 'restart':
    case 'start':
    case 'stop':
      return { request: { verb: verbOf[action.kind], lifetimeMs } };
    case 'wipe': {
      const { random_seed: isRandom = false, ...wipe } = action.wipe;
      return { wipe: { ...wipe, ...(isRandom && { seed: randomInt(1, highestSeed) }) } };
    }
  }
}

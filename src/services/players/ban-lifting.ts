// Lifts expired bans: each by an unban command of its own, which is retried if it fails.
import type { EntityManager } from '../../database/connection.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { issueCommand } from '../commands/index.ts';
import { uncertain } from './outcomes.ts';
import { recordAction } from './record.ts';

interface DueBan {
  id: string;
  license_id: string;
  instance_id: string;
  steam_id: string;
}

const maxAtOnce = 100;
/** A game server that refused, or did not respond, is asked again after this. */
const retrySeconds = 300;

/** SQL that joins rows `ban` of `player_action` and keeps those that can be lifted at that time. */
export const liftableAt = (now: string) => `
  join game_instance as instance on instance.license_id = ban.license_id and instance.id = ban.instance_id
  join license on license.id = ban.license_id
  where ban.kind = 'ban' and ban.ended_at is null and ban.until <= ${now} and ban.status <> 'pending'
    and (ban.status = 'succeeded' or ban.error_code in (${uncertain.map((code) => `'${code}'`).join(', ')}))
    and instance.state = 'running' and license.status = 'active'
    and coalesce('players' = any(instance.capabilities), true)
    and not exists (
      select from player_action as unban
      where unban.license_id = ban.license_id and unban.instance_id = ban.instance_id
        and unban.steam_id = ban.steam_id and unban.id > ban.id
        and unban.kind in ('ban', 'unban') and unban.status = 'pending'
    )`;

/** SQL: the server was not asked recently to lift the ban. */
export const isRested = `(ban.lift_tried_at is null
  or ban.lift_tried_at < now() - interval '${retrySeconds} seconds')`;

const sandboxNow = `(now() + (
  select clock_offset_ms * interval '1 millisecond' from sandbox where sandbox.license_id = ban.license_id))`;

export const liftableBans = liftableAt('now()');

/**
 * Claims bans that have expired. While the server is not running the command could not reach it, so its bans stay due.
 * By default those of all licenses by real time, or those of one sandbox by its clock.
 */
export function claimBans(em: EntityManager, sandboxId?: string): Promise<DueBan[]> {
  const isOne = sandboxId !== undefined;
  return em.execute<DueBan[]>(
    `update player_action as ban set lift_tried_at = now()
     from (
       select ban.id from player_action as ban ${liftableAt(isOne ? sandboxNow : 'now()')} and ${isOne ? 'ban.license_id = ?' : 'true'}
         and ${isRested}
       order by ban.until limit ? for update of ban skip locked
     ) as due
     where ban.id = due.id returning ban.id, ban.license_id, ban.instance_id, ban.steam_id`,
    isOne ? [sandboxId, maxAtOnce] : [maxAtOnce],
  );
}

export class BanLifting {
  readonly #tenant: TenantScope;

  constructor(tenant: TenantScope) {
    this.#tenant = tenant;
  }

  /** Lifts bans that were claimed. Replicas may run this concurrently. */
  async lift(claimed: readonly DueBan[]): Promise<void> {
    const failures: unknown[] = [];
    for (const ban of claimed) await this.#lift(ban).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} bans could not be lifted`);
  }

  async #lift({ license_id, instance_id, steam_id }: DueBan): Promise<void> {
    await this.#tenant.transact(license_id, async (em, queries) => {
      const command = await issueCommand(em, queries, instance_id, {
        verb: 'unban_player',
        args: { steam_id },
        requestedBy: null,
      });
      await recordAction(em, {
        kind: 'unban',
        steamId: steam_id,
        command,
        text: 'The ban has expired.',
      });
    });
  }
}

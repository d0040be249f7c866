// Creates commands for agents of many licenses in one transaction of the platform.
import type { EntityManager } from '../../database/connection.ts';
import { tryLocks } from '../../database/advisory-locks.ts';
import { lockOf } from '../../preconditions/limits.ts';
import { enqueueRelays } from '../../queue/enqueue.ts';
import { commandLifetimeMs, waitingBounds, type Request } from './index.ts';

/** How many more commands may wait for the agent of a host. */
export interface Room {
  left: number;
  /** The message when none is left. */
  detail: string;
}

export interface NewCommand {
  id: string;
  license_id: string;
  host_id: string;
  instance_id: string;
  requested_by: string;
  request: Request;
}

/**
 * Locks the limits of those hosts whose limit no other transaction holds, and returns the room of each. It waits for none,
 * because transactions that lock several hosts would otherwise have to lock them in the same order.
 */
export async function freeHosts(em: EntityManager, hostIds: string[]): Promise<Map<string, Room>> {
  const bounds = hostIds.map((id) => ({ id, ...waitingBounds(id) }));
  const free = await tryLocks(em, bounds.map(lockOf));
  const taken = bounds.filter((limit) => free.has(lockOf(limit)));
  // Counted after the locks are held, so that nothing is added meanwhile.
  const rows = await em.execute<{ host_id: string; count: number }[]>(
    `select host_id, count(*)::integer as count from command
     where host_id = any(?::uuid[]) and status in ('queued', 'sent') group by host_id`,
    [`{${taken.map(({ id }) => id).join(',')}}`],
  );
  const waiting = new Map(rows.map(({ host_id, count }) => [host_id, count]));
  return new Map(taken.map(({ id, max, detail }) => [id, { left: max - (waiting.get(id) ?? 0), detail }]));
}

/** Writes the commands and the jobs that relay them. The caller has taken their room. */
export async function createCommands(em: EntityManager, commands: NewCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const rows = commands.map(({ request, ...row }) => ({
    ...row,
    kind: request.verb,
    args: request.args ?? {},
    expires_at: new Date(Date.now() + (request.lifetimeMs ?? commandLifetimeMs)),
  }));
  await em.execute(
    `insert into command (id, license_id, host_id, instance_id, kind, args, requested_by, expires_at)
     select id, license_id, host_id, instance_id, kind, args, requested_by, expires_at
     from json_to_recordset(?::json) as command(id uuid, license_id uuid, host_id uuid, instance_id uuid, kind text,
       args jsonb, requested_by text, expires_at timestamptz)`,
    [JSON.stringify(rows)],
  );
  await enqueueRelays(
    em,
    commands.map(({ host_id }) => host_id),
  );
}

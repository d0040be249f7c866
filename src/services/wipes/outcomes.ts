// Applies agents' wipe reports and the outcomes of wipe commands to the history of wipes.
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import { countOf, isAmong } from '../../database/batches.ts';
import type { EntityManager } from '../../database/connection.ts';
import { redeliverAfterWipe } from '../store/deliveries/creation.ts';

interface Completed {
  id: string;
  license_id: string;
  instance_id: string | null;
}

/** Error codes of wipes that ended without a report; a late report replaces them. */
const unheardOf = ['expired', 'lost'];
const over: readonly BusSchemas['WipeStatus'][] = ['completed', 'failed', 'rolled_back', 'cancelled'];
/** Counted from the end of the countdown, or from the agent's last report if that is later. */
const silentHours = 12;
/** Maximum wipes ended in one transaction: agents' reports wait for the same rows. */
const wipesAtOnce = 300;

/** Applies a report unless a newer one was applied; returns false if the host has no such wipe. */
export async function takeWipeReport(
  em: EntityManager,
  hostId: string,
  { wipe_id, seq, status, ...report }: BusSchemas['WipeReport'],
): Promise<boolean> {
  const isOver = over.includes(status);
  const moved = await em.execute<Completed[]>(
    `update wipe_history as wipe set
       status = reported.status, report_seq = ?, reported_at = now(), detail = ?, error_code = ?,
       due_at = coalesce(?::timestamptz, due_at),
       file_count = coalesce(?, file_count), deleted_bytes = coalesce(?, deleted_bytes),
       begun_at = case when reported.status in ('planned', 'announcing', 'cancelled') then begun_at
         else coalesce(begun_at, least(reported.at, license_now())) end,
       finished_at = case when reported.is_over then greatest(least(reported.at, license_now()), begun_at) end
     from (select ?::text as status, ?::boolean as is_over, ?::timestamptz(3) as at) as reported
     where wipe.id = ? and wipe.host_id = ? and report_seq < ?
       and (finished_at is null or error_code = any(?::text[]))
       -- An old wipe does not come back to life beside a new one.
       and (finished_at is null or reported.is_over or not exists (
         select from wipe_history as other
         where other.instance_id = wipe.instance_id and other.id <> wipe.id and other.finished_at is null))
     returning wipe.*`,
    [
      seq,
      report.detail ?? null,
      status === 'failed' || status === 'rolled_back' ? (report.error_code ?? 'internal') : null,
      report.due_at ?? null,
      report.file_count ?? null,
      report.deleted_bytes ?? null,
      status,
      isOver,
      report.at,
      wipe_id,
      hostId,
      seq,
      `{${unheardOf.join(',')}}`,
    ],
  );
  for (const wipe of moved) if (status === 'completed') await redeliverAfterWipe(em, wipe);
  if (moved.length > 0) return true;
  const known = await em.execute('select 1 from wipe_history where id = ? and host_id = ?', [
    wipe_id,
    hostId,
  ]);
  return known.length > 0;
}

/** Ends wipes whose command was refused or expired. */
export async function settleWipes(em: EntityManager, commandIds: string[]): Promise<void> {
  await em.execute(
    `update wipe_history as wipe set
       status = 'failed', finished_at = coalesce(command.finished_at, now()),
       error_code = case command.status when 'expired' then 'expired' else command.error_code end,
       detail = coalesce(command.detail, 'The agent did not accept the command in time.')
     from command
     where command.id = any(?::uuid[]) and command.status in ('failed', 'expired')
       and wipe.license_id = command.license_id and wipe.command_id = command.id
       and wipe.finished_at is null and wipe.report_seq = 0`,
    [`{${commandIds.join(',')}}`],
  );
}

/**
 * Ends wipes that will get no more reports: the instance or the command is gone, or the agent has been silent too long.
 */
export function endLostWipes(em: EntityManager): Promise<number> {
  const isLost = `finished_at is null and (instance_id is null or command_id is null and report_seq = 0
    or greatest(created_at + make_interval(secs => countdown_seconds), due_at, reported_at)
      < now() - interval '${silentHours} hours')`;
  return countOf(
    em,
    `update wipe_history set status = 'failed', finished_at = now(), error_code = 'lost',
       detail = 'The agent stopped reporting on the wipe.'
     where ${isAmong('wipe_history', isLost, wipesAtOnce)}`,
  );
}

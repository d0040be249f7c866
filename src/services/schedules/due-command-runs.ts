// Runs due schedules of many licenses in one transaction: those that need no more than a command for an agent.
import type { EntityManager } from '../../database/connection.ts';
import type { GameInstance, Schedule } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { limitReached } from '../../preconditions/limits.ts';
import { createCommands, freeHosts, type NewCommand, type Room } from '../commands/many-hosts.ts';
import { workOf } from './actions.ts';
import { dueAfter } from './countdown.ts';
import type { DueTimes } from './due-times.ts';
import { isMissed, missedRun } from './missed-runs.ts';

/** Backups and wipes are left out, because they have limits and records of their own. */
const plainKinds = ['announcement', 'command', 'plugin_reload', 'restart', 'start', 'stop'] as const;

interface PlainRow extends Pick<Schedule, 'id' | 'name' | 'cron'> {
  license_id: string;
  action: Schedule['action'];
  time_zone: string;
  missed_runs: Schedule['missedRuns'];
  announced_until: string | null;
  due_at: string;
  now: string;
  was_run: boolean;
  command_id: string;
  instance_id: string;
  instance_name: string;
  host_id: string;
  capabilities: GameInstance['capabilities'];
}

/** A row of `schedule_run`. */
interface Run {
  license_id: string;
  schedule_id: string;
  due_at: string;
  status: 'running' | 'failed' | 'skipped';
  detail?: string;
  error_code?: string;
  command_id?: string;
}

/**
 * Runs those of the schedules that are due and plain, and returns their ids. Waits for no lock: what another transaction
 * holds is left to the caller, as are sandboxes, which have clocks of their own, and licenses that are not active.
 */
export async function runPlain(em: EntityManager, ids: string[], dueTimes: DueTimes): Promise<string[]> {
  const due = await takePlain(em, ids);
  const hosts = await freeHosts(em, [...new Set(due.map(({ host_id }) => host_id))]);
  const taken = due.filter(({ host_id }) => hosts.has(host_id));
  const commands: NewCommand[] = [];
  const runs: Run[] = [];
  for (const row of taken) {
    const room = hosts.get(row.host_id);
    if (row.was_run || room === undefined) continue;
    const { run, command } = runOf(row, room);
    runs.push(run);
    if (command !== undefined) commands.push(command);
  }
  await createCommands(em, commands);
  await recordRuns(em, runs);
  await moveOn(em, taken, dueTimes);
  return taken.map(({ id }) => id);
}

/** Locks the schedules, their licenses' status and their instances until the transaction ends. */
function takePlain(em: EntityManager, ids: string[]): Promise<PlainRow[]> {
  return em.execute<PlainRow[]>(
    `select schedule.id, schedule.license_id, schedule.name, schedule.action, schedule.cron, schedule.time_zone,
       schedule.missed_runs, schedule.announced_until, schedule.next_run_at as due_at, now() as now,
       exists (
         select from schedule_run where schedule_id = schedule.id and due_at = schedule.next_run_at
       ) as was_run,
       uuidv7() as command_id, instance.id as instance_id, instance.name as instance_name, instance.host_id,
       instance.capabilities
     from schedule
     join game_instance as instance
       on instance.license_id = schedule.license_id and instance.id = schedule.instance_id
     join license on license.id = schedule.license_id
     where schedule.id = any(?::uuid[]) and schedule.next_run_at <= now()
       and schedule.action ->> 'kind' = any(?::text[])
       and license.status = 'active' and not license.is_sandbox
     order by schedule.next_run_at, schedule.id
     for no key update of schedule skip locked
     for key share of instance skip locked
     for share of license skip locked`,
    [`{${ids.join(',')}}`, `{${plainKinds.join(',')}}`],
  );
}

function runOf(row: PlainRow, room: Room): { run: Run; command?: NewCommand } {
  const { license_id, id: schedule_id, due_at, command_id, now } = row;
  const run = { license_id, schedule_id, due_at };
  if (isMissed(row.missed_runs, new Date(due_at), new Date(now))) return { run: { ...run, ...missedRun } };
  try {
    const work = workOf(row);
    if (!('request' in work)) throw new Error(`an action of the kind "${row.action.kind}" is not plain`);
    refuseUnlessCapable({ name: row.instance_name, capabilities: row.capabilities }, work.request.verb);
    if (room.left <= 0) throw limitReached(room);
    room.left -= 1;
    const { instance_id, host_id } = row;
    const command = {
      id: command_id,
      license_id,
      host_id,
      instance_id,
      requested_by: row.name,
      request: work.request,
    };
    return { run: { ...run, status: 'running', command_id }, command };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { run: { ...run, ...failure(error) } };
  }
}

const failure = ({ code, message }: { code: string; message: string }) =>
  ({ status: 'failed', detail: message, error_code: code }) as const;

async function recordRuns(em: EntityManager, runs: Run[]): Promise<void> {
  await em.execute(
    `insert into schedule_run (license_id, schedule_id, due_at, status, detail, error_code, command_id, finished_at)
     select license_id, schedule_id, due_at, status, detail, error_code, command_id,
       case when status <> 'running' then now() end
     from json_to_recordset(?::json) as run(license_id uuid, schedule_id uuid, due_at timestamptz, status text,
       detail text, error_code text, command_id uuid)`,
    [JSON.stringify(runs)],
  );
}

async function moveOn(em: EntityManager, rows: PlainRow[], dueTimes: DueTimes): Promise<void> {
  const next = rows.map((row) => {
    const announcedUntil = row.announced_until === null ? null : new Date(row.announced_until);
    const settings = { action: row.action, cron: row.cron, timeZone: row.time_zone, announcedUntil };
    return { id: row.id, ...dueAfter(new Date(row.now), settings, dueTimes) };
  });
  await em.execute(
    `update schedule set next_run_at = next."nextRunAt", next_announcement_at = next."nextAnnouncementAt"
     from json_to_recordset(?::json) as next(id uuid, "nextRunAt" timestamptz, "nextAnnouncementAt" timestamptz)
     where schedule.id = next.id`,
    [JSON.stringify(next)],
  );
}

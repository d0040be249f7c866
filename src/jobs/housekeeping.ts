// Expires and deletes outdated rows, and creates future partitions; retention.ts deletes the rows of analytics.
import { countOf, isAmong } from '../database/batches.ts';
import type { EntityManager } from '../database/connection.ts';
import { createPartitions } from '../database/migrate.ts';
import { followEnds } from '../services/commands/completion.ts';
import { sumUpMonths } from '../services/analytics/roll-ups.ts';
import { createSandboxPartitions } from '../sandbox/partitions.ts';
import { hasOldSecrets } from '../services/resellers/first-secrets.ts';
import { isForgottenAccount } from '../services/store/settings/accounts.ts';
import type { Batch, BatchRunner } from './in-batches.ts';
import {
  ago,
  idempotencyHours,
  keptDays,
  keptDaysOfDayPartitions,
  keptDaysOfPartitions,
  lostApplicationDays,
  unpaidAddressDays,
} from '../queue/retention-periods.ts';

/** How long an acknowledged command may take to report its result after its own deadline. */
const reportGraceHours = 24;

/** Rows that one transaction writes. */
const rowsAtOnce = 5_000;
/** Commands that one transaction ends; agents report results of theirs at the same time. */
const commandsAtOnce = 500;

const remove =
  (table: string, condition: string): Batch =>
  (em) =>
    countOf(em, `delete from ${table.split(' ')[0] ?? table} where ${isAmong(table, condition, rowsAtOnce)}`);

const change =
  (table: string, changes: string, condition: string): Batch =>
  (em) =>
    countOf(em, `update ${table} set ${changes} where ${isAmong(table, condition, rowsAtOnce)}`);

/** Run in one statement each: they write few rows, or rows that no other work waits for. */
const statements = [
  createPartitions,
  createSandboxPartitions,
  sumUpMonths,
  ...Object.entries(keptDaysOfPartitions).map(
    ([table, days]) => `select drop_month_partitions('${table}', ${days})`,
  ),
  ...Object.entries(keptDaysOfDayPartitions).map(
    ([table, days]) => `select drop_day_partitions('${table}', ${days})`,
  ),
];

const batches: readonly Batch[] = [
  remove('instance_run', `to_at < ${ago(keptDays.instance_run)}`),
  remove('instance_state_interval', `to_at < ${ago(keptDays.instance_state_interval)}`),
  forgetMaps,
  remove('console_ticket', 'expires_at < now()'),
  remove('enrolment_code', `expires_at < ${ago(keptDays.enrolment_code)}`),
  // The instance was deleted, and the command with it.
  change(
    'player_action',
    `status = 'expired', finished_at = now()`,
    `status = 'pending' and command_id is null`,
  ),
  change('command', 'output = null', `output is not null and created_at < ${ago(keptDays.command)}`),
  remove('setup_token', 'expires_at < now()'),
  remove('invitation', `expires_at < ${ago(keptDays.invitation)}`),
  remove('idempotency_record', `created_at < now() - interval '${idempotencyHours} hours'`),
  remove('bus_revocation', `revoked_at < ${ago(keptDays.bus_revocation)}`),
  remove('password_token', 'expires_at < now()'),
  remove('sign_in_challenge', 'expires_at < now()'),
  remove('schedule_run', `created_at < ${ago(keptDays.schedule_run)}`),
  // The configuration that it applied remains in force until another application replaces it.
  remove(
    'plugin_application as old',
    `created_at < ${ago(keptDays.plugin_application)} and finished_at is not null
     and (status = 'failed' or player_commands is null or exists (
       select from plugin_application as later
       where later.license_id = old.license_id and later.instance_id = old.instance_id
         and later.status = 'succeeded' and later.finished_at > old.finished_at
         and jsonb_exists_all(later.player_commands, array(select jsonb_object_keys(old.player_commands)))
     ))`,
  ),
  // The command was deleted with its host, or the job no longer exists.
  change(
    'plugin_application',
    `status = 'failed', error_code = 'lost', finished_at = now(), detail = 'The outcome is unknown.'`,
    `finished_at is null and (status = 'applying' and command_id is null or created_at < ${ago(lostApplicationDays)})`,
  ),
  remove('sent_mail', `sent_at < ${ago(keptDays.sent_mail)}`),
  remove('webhook_delivery', `created_at < ${ago(keptDays.webhook_delivery)}`),
  remove('alert', `ended_at < ${ago(keptDays.alert)}`),
  remove(
    'notification',
    `created_at < ${ago(keptDays.notification)}
     and not exists (select from alert where alert.license_id = notification.license_id
       and alert.id = notification.alert_id and ended_at is null)`,
  ),
  remove('former_subdomain', `freed_at < ${ago(keptDays.former_subdomain)}`),
  change('reseller_license', 'sealed_secrets = null', hasOldSecrets),
  remove('store_account as account', isForgottenAccount),
  change(
    'store_order',
    'receipt_email = null',
    `receipt_email is not null and paid_at is not null and created_at < ${ago(keptDays.store_order)}`,
  ),
  change(
    'store_order',
    'receipt_email = null',
    `receipt_email is not null and paid_at is null and created_at < ${ago(unpaidAddressDays)}`,
  ),
  remove('early_access_claim', 'expires_at < now()'),
  remove('rate_limit', 'expire < extract(epoch from now()) * 1000'),
  forgetSessions,
];

/** Deletes maps together with their statistics that are otherwise retained indefinitely. */
async function forgetMaps(em: EntityManager): Promise<number> {
  const forgotten = await em.execute(
    `with gone as (
       delete from played_map where ${isAmong('played_map', `last_seen_at < ${ago(keptDays.played_map)}`, 100)}
       returning license_id, id
     ), sessions as (
       delete from session_day using gone where session_day.license_id = gone.license_id and scope_id = id
     ), players as (
       delete from player_day_count using gone where player_day_count.license_id = gone.license_id and scope_id = id
     ), months as (
       delete from map_month using gone where map_month.license_id = gone.license_id and map_id = id
     )
     select id from gone`,
  );
  return forgotten.length;
}

/** Deletes expired refresh tokens, and sessions that have none left. */
async function forgetSessions(em: EntityManager): Promise<number> {
  const expired = await em.execute(
    `with expired as (
       delete from refresh_token where ${isAmong('refresh_token', 'expires_at < now()', rowsAtOnce)}
       returning session_id
     ), gone as (
       delete from user_session where id in (select session_id from expired) and not exists (
         select from refresh_token where session_id = user_session.id and expires_at >= now())
     )
     select session_id from expired`,
  );
  return expired.length;
}

/** The chores are independent: a failing one does not keep the others from running. */
export async function runMaintenance(runner: BatchRunner): Promise<void> {
  const failures: unknown[] = [];
  const chores = [
    ...statements.map((statement) => () => runner.execute(statement)),
    ...batches.map((batch) => () => runner.repeat(batch)),
  ];
  for (const chore of chores) await chore().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} chores failed`);
}

/** Expires commands that were not accepted before their deadline, or whose result was never reported. */
export async function expireCommands(em: EntityManager): Promise<number> {
  const isOver = `(status in ('queued', 'sent') and expires_at < now())
    or (status = 'acknowledged' and expires_at < now() - interval '${reportGraceHours} hours')`;
  const expired = await em.execute<{ id: string }[]>(
    `update command set status = 'expired', finished_at = now()
     where ${isAmong('command', isOver, commandsAtOnce)} returning id`,
  );
  await followEnds(em, expired);
  return expired.length;
}

/** Also ends runs whose command is gone, or has ended without a report to the run. */
export function endLostRuns(em: EntityManager): Promise<number> {
  return countOf(
    em,
    `with lost as (
         select run.id, command.status, command.detail, command.error_code, command.finished_at
         from schedule_run as run left join command
           on command.license_id = run.license_id and command.id = run.command_id
         where run.status = 'running' and (command.id is null or command.finished_at is not null)
         limit ${rowsAtOnce} for no key update of run skip locked
       )
       update schedule_run as run set
         status = case lost.status when 'succeeded' then 'succeeded' when 'unconfirmed' then 'sent' else 'failed' end,
         detail = case when lost.status is null then 'The outcome is unknown.' else lost.detail end,
         error_code = case lost.status when 'succeeded' then null when 'unconfirmed' then null when 'failed' then lost.error_code
           when 'expired' then 'expired' else 'lost' end,
         finished_at = coalesce(lost.finished_at, now())
       from lost where run.id = lost.id`,
  );
}

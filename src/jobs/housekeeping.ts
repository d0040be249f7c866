// Ends what has run out, and prepares what is to come.
import type { PlatformScope } from '../database/platform-scope.ts';
import { createPartitions } from '../database/migrate.ts';
import { followEnds } from '../services/command-ends.ts';
import { sumUpMonths } from '../services/analytics/roll-ups.ts';
import { keptMs } from '../services/idempotency.ts';
import { forgetFirstSecrets } from '../services/resellers/first-secrets.ts';
import { forgetRetiredAccounts } from '../services/webstore/accounts.ts';
import { endLostWipes } from '../services/wipes/outcomes.ts';
import { ago, keptDays, keptMonths } from './kept.ts';

/** How long an acknowledged command may take to report its end, after its own deadline. */
const reportGraceHours = 24;

/** Each chore stands alone: one that fails keeps none of the others from being done. */
const chores = [
  createPartitions,
  sumUpMonths,
  ...Object.entries(keptMonths).map(([table, days]) => `select drop_month_partitions('${table}', ${days})`),
  `delete from instance_state_interval where to_at < ${ago(keptDays.instance_state_interval)}`,
  // With all that is counted of it for good.
  `with gone as (
     delete from played_map where last_seen_at < ${ago(keptDays.played_map)} returning license_id, id
   ), sessions as (
     delete from session_day using gone where session_day.license_id = gone.license_id and scope_id = id
   ), players as (
     delete from player_day_count using gone where player_day_count.license_id = gone.license_id and scope_id = id
   )
   delete from map_month using gone where map_month.license_id = gone.license_id and map_id = id`,
  `delete from console_ticket where expires_at < now()`,
  // Its instance was deleted, and its command with it.
  `update player_action set status = 'expired', finished_at = now() where status = 'pending' and command_id is null`,
  `delete from setup_token where expires_at < now()`,
  `delete from invitation where expires_at < ${ago(keptDays.invitation)}`,
  `delete from idempotency_record where created_at < now() - interval '${keptMs / 1000} seconds'`,
  `delete from bus_revocation where revoked_at < ${ago(keptDays.bus_revocation)}`,
  `delete from password_token where expires_at < now()`,
  `delete from sign_in_challenge where expires_at < now()`,
  `delete from schedule_run where created_at < ${ago(keptDays.schedule_run)}`,
  // What it brought into force stays so until another takes its place.
  `delete from plugin_application as old where created_at < ${ago(keptDays.plugin_application)} and finished_at is not null
     and (status = 'failed' or player_commands is null or exists (
       select from plugin_application as later
       where later.license_id = old.license_id and later.instance_id = old.instance_id
         and later.status = 'succeeded' and later.finished_at > old.finished_at
         and jsonb_exists_all(later.player_commands, array(select jsonb_object_keys(old.player_commands)))
     ))`,
  // Its command was deleted with its host, or its job is no more.
  `update plugin_application set status = 'failed', error_code = 'lost', finished_at = now(),
     detail = 'What became of it is not known.'
   where finished_at is null and (status = 'applying' and command_id is null or created_at < now() - interval '2 days')`,
  `delete from sent_mail where sent_at < ${ago(keptDays.sent_mail)}`,
  `delete from webhook_delivery where created_at < ${ago(keptDays.webhook_delivery)}`,
  `delete from alert where ended_at < ${ago(keptDays.alert)}`,
  `delete from notification where created_at < ${ago(keptDays.notification)}
     and not exists (select from alert where alert.license_id = notification.license_id
       and alert.id = notification.alert_id and ended_at is null)`,
  `delete from former_subdomain where freed_at < ${ago(keptDays.former_subdomain)}`,
  forgetFirstSecrets,
  forgetRetiredAccounts,
  `delete from early_access_claim where expires_at < now()`,
  `delete from rate_limit where expire < extract(epoch from now()) * 1000`,
  // With the sessions that none is left of.
  `with expired as (
     delete from refresh_token where expires_at < now() returning session_id
   )
   delete from user_session where id in (select session_id from expired) and not exists (
     select from refresh_token where session_id = user_session.id and expires_at >= now())`,
];

export async function keepHouse(platform: PlatformScope): Promise<void> {
  const failures: unknown[] = [];
  for (const chore of chores) {
    await platform
      .transact('jobs', (em) => em.execute(chore))
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} chores failed`);
}

/** Commands that were not taken before their deadline, or whose end was never reported, are expired. */
export async function expireCommands(platform: PlatformScope): Promise<void> {
  await platform.transact('jobs', async (em) => {
    const expired = await em.execute<{ id: string }[]>(
      `update command set status = 'expired', finished_at = now()
       where (status in ('queued', 'sent') and expires_at < now())
          or (status = 'acknowledged' and expires_at < now() - make_interval(hours => ?))
       returning id`,
      [reportGraceHours],
    );
    await followEnds(em, expired);
  });
}

/** Wipes that nobody will tell of any more end. */
export async function endWipes(platform: PlatformScope): Promise<void> {
  await platform.transact('jobs', endLostWipes);
}

/** Runs whose command is gone, or has ended without their being told, end too. */
export async function endLostRuns(platform: PlatformScope): Promise<void> {
  await platform.transact('jobs', (em) =>
    em.execute(
      `with lost as (
         select run.id, command.status, command.detail, command.error_code, command.finished_at
         from schedule_run as run left join command
           on command.license_id = run.license_id and command.id = run.command_id
         where run.status = 'running' and (command.id is null or command.finished_at is not null)
         for no key update of run skip locked
       )
       update schedule_run as run set
         status = case lost.status when 'succeeded' then 'succeeded' else 'failed' end,
         detail = case when lost.status is null then 'What became of it is not known.' else lost.detail end,
         error_code = case lost.status when 'succeeded' then null when 'failed' then lost.error_code
           when 'expired' then 'expired' else 'lost' end,
         finished_at = coalesce(lost.finished_at, now())
       from lost where run.id = lost.id`,
    ),
  );
}

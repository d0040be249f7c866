// What became of applications of plugin configurations, as the commands that carry them end.
import type { EntityManager } from '../../database/connection.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';

/** A server whose files change that often is left alone. */
const mostAttempts = 5;
const againMs = 1_000;

/** Files that changed between being read and being written are read and merged again. */
export async function settlePluginApplications(em: EntityManager, commandIds: string[]): Promise<void> {
  const settled = await em.execute<{ id: string; license_id: string; status: string }[]>(
    `update plugin_application as application set
       status = case when told.is_again then 'preparing' when told.status = 'succeeded' then 'succeeded' else 'failed' end,
       attempts = attempts + 1,
       error_code = case when told.is_again or told.status = 'succeeded' then null
         when told.status = 'expired' then 'expired' else told.error_code end,
       detail = case when told.is_again then null
         else coalesce(told.detail, 'The agent did not take it in time.') end,
       finished_at = case when not told.is_again then coalesce(told.finished_at, now()) end
     from (
       select command.*, command.status = 'failed' and command.error_code = 'files_changed'
         and other.attempts + 1 < ? as is_again
       from command join plugin_application as other
         on other.license_id = command.license_id and other.command_id = command.id
       where command.id = any(?::uuid[]) and command.finished_at is not null
     ) as told
     where application.license_id = told.license_id and application.command_id = told.id
       and (application.status = 'applying' or application.error_code = 'expired')
     returning application.id, application.license_id, application.status`,
    [mostAttempts, `{${commandIds.join(',')}}`],
  );
  for (const { id, license_id, status } of settled)
    if (status === 'preparing')
      await enqueueJob(
        em,
        'apply-plugin-config',
        { license_id, application_id: id },
        { runAt: new Date(Date.now() + againMs) },
      );
}

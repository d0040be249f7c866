// Records the outcomes of plugin applications when their commands complete.
import type { EntityManager } from '../../database/connection.ts';
import { enqueueJob } from '../../queue/enqueue.ts';

/** A command that has ended, as it is passed to the areas that issued it. */
export interface EndedCommand {
  id: string;
  /** Whether plugins loaded the files that the command wrote. Absent for commands that write no plugin files. */
  is_loaded?: boolean;
}

/** Maximum attempts while the files on the server keep changing. */
const maxAttempts = 5;
const againMs = 1_000;

/**
 * Files that changed between being read and being written are read and merged again. Files that plugins have loaded are
 * read back before the application completes, because plugins rewrite their files while loading.
 */
export async function settlePluginApplications(
  em: EntityManager,
  ended: readonly EndedCommand[],
): Promise<void> {
  const settled = await em.execute<{ id: string; license_id: string; status: string }[]>(
    `update plugin_application as application set
       status = case when reported.is_again then 'preparing' when reported.status <> 'succeeded' then 'failed'
         when reported.is_loaded then 'applying' else 'succeeded' end,
       is_loaded = reported.is_loaded,
       attempts = attempts + 1,
       error_code = case when reported.is_again or reported.status = 'succeeded' then null
         when reported.status = 'expired' then 'expired' else reported.error_code end,
       detail = case when reported.is_again then null
         else coalesce(reported.detail, 'The agent did not accept the command in time.') end,
       finished_at = case when not reported.is_again and not (reported.status = 'succeeded' and coalesce(reported.is_loaded, false))
         then coalesce(reported.finished_at, now()) end
     from (
       select command.*, ended.is_loaded, command.status = 'failed' and command.error_code = 'files_changed'
         and other.attempts + 1 < ? as is_again
       from json_to_recordset(?::json) as ended(id uuid, is_loaded boolean)
       join command on command.id = ended.id
       join plugin_application as other
         on other.license_id = command.license_id and other.command_id = command.id
       where command.finished_at is not null
     ) as reported
     where application.license_id = reported.license_id and application.command_id = reported.id
       and (application.status = 'applying' or application.error_code = 'expired')
     returning application.id, application.license_id, application.status`,
    [maxAttempts, JSON.stringify(ended)],
  );
  for (const { id, license_id, status } of settled) {
    const application = { license_id, application_id: id };
    if (status === 'preparing')
      await enqueueJob(em, 'apply-plugin-config', application, { runAt: new Date(Date.now() + againMs) });
    else if (status === 'applying') await enqueueJob(em, 'read-back-plugin-config', application);
  }
}

// Applications of plugin configurations to game instances: requested here, executed by a job and a command.
import { setTimeout } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { GameInstance, PluginApplication } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { enqueueJob } from '../../queue/enqueue.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { refuseStale } from '../../preconditions/version.ts';
import { commandsInForce, endCommands, type CommandsInForce } from './player-commands.ts';

/** Maximum unfinished applications of one instance; a caller with more has not noticed that none proceeds. */
export const maxInProgress = 20;
/** Polling interval for callers that wait for the result. */
const lookMs = 200;

export type PluginApplicationRow = Awaited<ReturnType<typeof applicationOf>>;

export class PluginApplications {
  async list(ctx: Ctx, query: Query<'listPluginConfigApplications'> = {}) {
    return ctx.read((queries) => {
      let found = applications(queries);
      if (query.instance_id !== undefined) found = found.where('instance_id', '=', query.instance_id);
      if (query.plugin_config_id !== undefined)
        found = found.where('plugin_config_id', '=', query.plugin_config_id);
      return pageOf(found, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<PluginApplicationRow> {
    return ctx.read((queries) => applicationOf(queries, id));
  }

  async playerCommands(ctx: Ctx, instanceId: string): Promise<CommandsInForce> {
    return ctx.read((queries) => commandsInForce(queries, instanceId));
  }

  async endPlayerCommands(ctx: Ctx, instanceId: string): Promise<void> {
    await ctx.transact(async (em) => {
      const instance = await em.findOne(GameInstance, instanceId);
      if (instance === null) throw notFound('instance');
      await endCommands(em, instance);
    });
  }

  /** Records the application and queues the job that begins it. */
  async create(
    ctx: Ctx,
    kind: string,
    configId: string,
    expectedVersions: readonly number[] | null,
    { instance_id: instanceId }: { instance_id: string },
  ): Promise<PluginApplicationRow> {
    return ctx.transact(async (em, queries) => {
      const configVersion = await versionOf(queries, kind, configId);
      refuseStale({ version: configVersion }, expectedVersions, 'The configuration');
      const instance = await em.findOne(GameInstance, instanceId);
      if (instance === null) throw notFound('instance');
      refuseUnlessCapable(instance, 'apply_plugin_files');
      await refuseBeyond(em, {
        subject: `plugin applications ${instanceId}`,
        max: maxInProgress,
        count: () => em.count(PluginApplication, { instanceId, finishedAt: null }),
        detail: `${maxInProgress} applications to this instance are unfinished; try again once one has completed.`,
      });
      const application = em.create(PluginApplication, {
        kind,
        pluginConfigId: configId,
        configVersion,
        instanceId,
        requestedBy: ctx.actor?.label ?? null,
      });
      await refusing(
        {
          plugin_application_license_id_instance_id_fkey: () => notFound('instance'),
          plugin_application_license_id_plugin_config_id_fkey: () => notFound('configuration'),
        },
        () => em.flush(),
      );
      await enqueueJob(em, 'apply-plugin-config', {
        license_id: ctx.licenseId,
        application_id: application.id,
      });
      return applicationOf(queries, application.id);
    });
  }

  /**
   * Returns the application once it has completed, or its state after `seconds`. Must not be called in a transaction.
   */
  async waitForEnd(ctx: Ctx, id: string, seconds: number): Promise<PluginApplicationRow> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const application = await this.get(ctx, id);
      const leftMs = deadline - Date.now();
      if (application.finished_at !== null || leftMs <= 0) return application;
      await setTimeout(Math.min(lookMs, leftMs));
    }
  }
}

function applications(queries: Queries) {
  return queries
    .selectFrom('plugin_application')
    .select([
      'id',
      'kind',
      'plugin_config_id',
      'config_version',
      'instance_id',
      'status',
      'detail',
      'error_code',
      'files',
      'is_loaded',
      'remarks',
      'command_id',
      'requested_by',
      'created_at',
      'finished_at',
    ]);
}

async function versionOf(queries: Queries, kind: string, id: string): Promise<number> {
  const config = await queries
    .selectFrom('plugin_config')
    .select('version')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (config === undefined) throw notFound('configuration');
  return config.version;
}

async function applicationOf(queries: Queries, id: string) {
  const application = await applications(queries).where('id', '=', id).executeTakeFirst();
  if (application === undefined) throw notFound('application');
  return application;
}

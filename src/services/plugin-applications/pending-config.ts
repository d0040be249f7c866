// Finds the configuration that an application writes: exactly the requested version.
import type { Ctx } from '../../context.ts';
import type { AppliedFile } from '../../entities/plugin-application.ts';
import { sql } from 'kysely';

export type UnderWay = 'preparing' | 'applying';

export interface Applied {
  id: string;
  kind: string;
  instanceId: string;
  configId: string;
  configVersion: number;
  /** The configuration as JSON. */
  config: string;
  /** The files written for it so far. */
  written: readonly AppliedFile[];
}

/** Why there is nothing to apply. */
export interface NothingToApply {
  errorCode: 'config_deleted' | 'config_changed';
  detail: string;
}

/** Null once the application has left that status. */
export async function toApply(ctx: Ctx, id: string, at: UnderWay): Promise<Applied | NothingToApply | null> {
  const found = await ctx.read((queries) =>
    queries
      .selectFrom('plugin_application as application')
      .leftJoin('plugin_config as config', (join) =>
        join
          .onRef('config.license_id', '=', 'application.license_id')
          .onRef('config.id', '=', 'application.plugin_config_id'),
      )
      .select([
        'application.kind',
        'application.instance_id',
        'application.config_version',
        'application.files',
        'config.id as config_id',
        'config.version',
        sql<string | null>`config.config_data::text`.as('config'),
      ])
      .where('application.id', '=', id)
      .where('application.status', '=', at)
      .executeTakeFirst(),
  );
  if (found === undefined) return null;
  const { config, config_id: configId, version } = found;
  if (config === null || configId === null || version === null)
    return { errorCode: 'config_deleted', detail: 'The configuration was deleted.' };
  // Applications from before versions were recorded use the current version.
  const configVersion = found.config_version ?? version;
  if (configVersion !== version)
    return {
      errorCode: 'config_changed',
      detail: `Version ${configVersion} was requested, but the configuration is at version ${version} now. Apply it again.`,
    };
  const { kind, instance_id: instanceId, files: written } = found;
  return { id, kind, instanceId, configId, configVersion, config, written };
}

// Operations of the area `plugin-applications`.
import type { Schemas } from '../platform-contract/types.ts';
import type { PluginApplicationRow } from '../services/plugin-applications/index.ts';
import type { CommandsInForce } from '../services/plugin-applications/player-commands.ts';
import { viewOutcome } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';
import { placeOf } from '../plugin-configs/json-text.ts';
import type { Remark } from '../plugin-configs/reading.ts';

export const pluginApplications = {
  listPluginConfigApplications: async (ctx, { query }) =>
    viewPage(await ctx.services.pluginApplications.list(ctx, query), viewApplication),
  getPluginConfigApplication: async (ctx, { path }) =>
    viewApplication(await ctx.services.pluginApplications.get(ctx, path.plugin_application_id)),
  getPlayerCommands: async (ctx, { path }) =>
    viewPlayerCommands(await ctx.services.pluginApplications.playerCommands(ctx, path.instance_id)),
  clearPlayerCommands: async (ctx, { path }) =>
    ctx.services.pluginApplications.endPlayerCommands(ctx, path.instance_id),
} satisfies Partial<Handlers>;

export function viewApplication(application: PluginApplicationRow): Schemas['PluginConfigApplication'] {
  return {
    id: application.id,
    kind: application.kind,
    plugin_config_id: application.plugin_config_id,
    config_version: application.config_version,
    instance_id: application.instance_id,
    status: application.status,
    ...viewOutcome(application),
    files: application.files.map(({ file, sha256_before, sha256 }) => ({ file, sha256_before, sha256 })),
    is_loaded: application.is_loaded,
    remarks: viewRemarks(application.remarks),
    command_id: application.command_id,
    requested_by: application.requested_by,
    created_at: application.created_at,
    finished_at: application.finished_at,
  };
}

function viewPlayerCommands({ on_connect, on_disconnect }: CommandsInForce): Schemas['ActivePlayerCommands'] {
  const view = (applied: CommandsInForce['on_connect']) =>
    applied && {
      commands: [...applied.commands],
      application_id: applied.application_id,
      requested_by: applied.requested_by,
      applied_at: applied.applied_at,
    };
  return { on_connect: view(on_connect), on_disconnect: view(on_disconnect) };
}

/** A remark about a place in a configuration. */
export const viewRemark = ({ pointer, detail }: Remark): Schemas['PluginConfigFinding'] => ({
  pointer,
  place: placeOf(pointer),
  detail,
});

export const viewRemarks = (remarks: readonly Remark[]) => remarks.map(viewRemark);

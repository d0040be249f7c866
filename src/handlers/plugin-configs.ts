// Operations of the area `plugin-configs`: the same for every kind, each with its own types.
import type { DeclaredPreset, PluginConfigData, PluginKindName } from '../../generated/plugin-kinds.ts';
import type { Schemas } from '../platform-contract/types.ts';
import { settlingWithin, Unkept, Versioned } from '../contract/replies.ts';
import type { Remark } from '../plugin-configs/reading.ts';
import type { ImportedConfig, PluginConfigs } from '../services/plugin-configs/index.ts';
import type { PluginConfigRow, PluginConfigSummaryRow } from '../services/plugin-configs/rows.ts';
import { viewPage, type Handlers } from './handlers.ts';
import { viewApplication, viewRemark, viewRemarks } from './plugin-applications.ts';

export const pluginConfigs = {
  listPluginConfigs: async (ctx, { path, query }) =>
    viewPage(await ctx.services.pluginConfigs.list(ctx, path.kind, query), viewSummary),
  createPluginConfig: async (ctx, { body }) =>
    viewVersioned<PluginKindName>(await ctx.services.pluginConfigs.create<PluginKindName>(ctx, body)),
  getPluginConfig: async (ctx, { path }) =>
    viewVersioned<PluginKindName>(
      await ctx.services.pluginConfigs.get(ctx, path.kind, path.plugin_config_id),
    ),
  updatePluginConfig: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned<PluginKindName>(
      await ctx.services.pluginConfigs.update<PluginKindName>(
        ctx,
        path.plugin_config_id,
        expectedVersions,
        body,
      ),
    ),
  deletePluginConfig: async (ctx, { path, expectedVersions }) =>
    ctx.services.pluginConfigs.delete(ctx, path.kind, path.plugin_config_id, expectedVersions),
  duplicatePluginConfig: async (ctx, { path, body }) =>
    viewVersioned<PluginKindName>(
      await ctx.services.pluginConfigs.duplicate(ctx, path.kind, path.plugin_config_id, body),
    ),
  getPluginConfigDefaults: async (ctx, { path }) =>
    Promise.resolve(ctx.services.pluginConfigs.defaults<PluginKindName>(path.kind)),
  listPluginConfigPresets: async (ctx, { path }) =>
    Promise.resolve({ data: viewPresets<PluginKindName>(ctx.services.pluginConfigs, path.kind) }),
  validatePluginConfig: async (ctx, { body }) =>
    viewValidation(await Promise.resolve(ctx.services.pluginConfigs.validate<PluginKindName>(body))),
  previewPluginConfig: async (ctx, { path, body }) =>
    Promise.resolve(
      new Unkept(async () =>
        viewPreview(
          await ctx.services.pluginConfigs.preview(ctx, path.kind, path.plugin_config_id, body?.instance_id),
        ),
      ),
    ),
  applyPluginConfig: async (ctx, { path, expectedVersions, waitSeconds, body }) => {
    const { pluginApplications } = ctx.services;
    const application = await pluginApplications.create(
      ctx,
      path.kind,
      path.plugin_config_id,
      expectedVersions,
      body,
    );
    return settlingWithin(waitSeconds, viewApplication(application), async () =>
      viewApplication(await pluginApplications.waitForEnd(ctx, application.id, waitSeconds)),
    );
  },
  exportPluginConfig: async (ctx, { path, query }) => {
    const { framework = 'oxide' } = query ?? {};
    return {
      files: await ctx.services.pluginConfigs.export(ctx, path.kind, path.plugin_config_id, framework),
    };
  },
  importPluginConfigFromServer: async (ctx, { path, body }) =>
    viewImported<PluginKindName>(await ctx.services.pluginConfigs.importFromServer(ctx, path.kind, body)),
  importPluginConfigFromFiles: async (ctx, { path, body }) =>
    viewImported<PluginKindName>(await ctx.services.pluginConfigs.importFiles(ctx, path.kind, body)),
} satisfies Partial<Handlers>;

export const viewVersioned = <Kind extends PluginKindName>(config: PluginConfigRow<Kind>) =>
  new Versioned(viewConfig<Kind>(config), config.version);

function viewImported<Kind extends PluginKindName>({ config, notRead, notReadCount }: ImportedConfig<Kind>) {
  const not_read = notRead.map(({ file, ...remark }) => ({ file, ...viewRemark(remark) }));
  return new Versioned(
    { config: viewConfig<Kind>(config), not_read, not_read_count: notReadCount },
    config.version,
  );
}

/** The row has the form of the contract; its fields are listed so that no other field of a row is published. */
function viewConfig<Kind extends PluginKindName>(config: PluginConfigRow<Kind>): PluginConfigRow<Kind> {
  return {
    kind: config.kind,
    id: config.id,
    name: config.name,
    config_data: config.config_data,
    version: config.version,
    updated_by: config.updated_by,
    created_at: config.created_at,
    updated_at: config.updated_at,
  };
}

function viewSummary(config: PluginConfigSummaryRow): Schemas['PluginConfigSummary'] {
  return {
    kind: config.kind,
    id: config.id,
    name: config.name,
    version: config.version,
    updated_by: config.updated_by,
    created_at: config.created_at,
    updated_at: config.updated_at,
  };
}

type PresetView<Kind extends PluginKindName> = {
  [Name in Kind]: { kind: Name; name: string; description: string; config_data: PluginConfigData[Name] };
}[Kind];

const viewPresets = <Kind extends PluginKindName>(configs: PluginConfigs, kind: Kind) =>
  configs.presets(kind).map((preset) => viewPreset(kind, preset));

const viewPreset = <Kind extends PluginKindName>(
  kind: Kind,
  { name, description, config }: DeclaredPreset<PluginConfigData[Kind]>,
): PresetView<Kind> => ({ kind, name, description, config_data: config });

type Remarks = readonly Remark[];

function viewValidation({
  faults,
  warnings,
  unwritten,
}: {
  faults: Remarks;
  warnings: Remarks;
  unwritten: Remarks;
}): Schemas['PluginConfigValidation'] {
  return {
    is_valid: faults.length === 0,
    faults: viewRemarks(faults),
    warnings: viewRemarks(warnings),
    not_written: viewRemarks(unwritten),
  };
}

function viewPreview({
  version,
  files,
  warnings,
  unwritten,
}: Awaited<ReturnType<PluginConfigs['preview']>>): Schemas['PluginConfigPreview'] {
  return {
    config_version: version,
    files: files.map(({ file, path, content, isChanged, diff }) => ({
      file,
      path,
      content,
      is_changed: isChanged,
      diff,
    })),
    warnings: viewRemarks(warnings),
    not_written: viewRemarks(unwritten),
  };
}

// Operations of the area `plugin-configs`: the same for every kind, each with its own types.
import {
  operationsOfKinds,
  pluginKinds,
  type DeclaredPreset,
  type KindOperation,
  type PluginConfigData,
  type PluginKindName,
} from '../../generated/plugin-kinds.ts';
import type { Schemas } from '../platform-contract/types.ts';
import { Settling, Unkept, Versioned } from '../contract/replies.ts';
import type { RequestOf } from '../contract/operation.ts';
import type { Remark } from '../plugin-configs/reading.ts';
import type { ImportedConfig, PluginConfigs } from '../services/plugin-configs/index.ts';
import type { NewConfig, PluginConfigRow, PluginConfigSummaryRow } from '../services/plugin-configs/rows.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';
import { viewApplication, viewRemark, viewRemarks } from './plugin-applications.ts';

interface Filters {
  q?: string;
  limit?: number;
  cursor?: string;
}

/** The parts of a request to one configuration; the name of its path parameter differs by kind. */
type ToConfig<Id extends string> = Pick<RequestOf<unknown>, 'expectedVersion' | 'waitSeconds'> & {
  path: Readonly<Record<Id, string>>;
};

/** The handlers of one kind's operations. Where they get their operationIds, each is compared with its operation. */
export function handlersOfKind<Kind extends PluginKindName, Id extends string>({
  name: kind,
  idParameter,
}: {
  name: Kind;
  idParameter: Id;
}) {
  const idIn = ({ path }: { path: Readonly<Record<Id, string>> }): string => path[idParameter];
  return {
    listConfigs: async (ctx: HandlerContext, { query }: { query: Filters | undefined }) =>
      viewPage(await ctx.services.pluginConfigs.list(ctx, kind, query), viewSummary),
    createConfig: async (ctx: HandlerContext, { body }: { body: NewConfig<Kind> }) =>
      viewVersioned(await ctx.services.pluginConfigs.create(ctx, kind, body)),
    getConfig: async (ctx: HandlerContext, request: ToConfig<Id>) =>
      viewVersioned(await ctx.services.pluginConfigs.get(ctx, kind, idIn(request))),
    updateConfig: async (ctx: HandlerContext, request: ToConfig<Id> & { body: Partial<NewConfig<Kind>> }) => {
      const { expectedVersion, body } = request;
      return viewVersioned(
        await ctx.services.pluginConfigs.update(ctx, kind, idIn(request), expectedVersion, body),
      );
    },
    deleteConfig: async (ctx: HandlerContext, request: ToConfig<Id>) =>
      ctx.services.pluginConfigs.delete(ctx, kind, idIn(request), request.expectedVersion),
    createConfigCopy: async (
      ctx: HandlerContext,
      request: ToConfig<Id> & { body: Schemas['PluginConfigDuplicate'] },
    ) => viewVersioned(await ctx.services.pluginConfigs.duplicate(ctx, kind, idIn(request), request.body)),
    getConfigDefaults: async (ctx: HandlerContext) => ({
      config_data: await Promise.resolve(ctx.services.pluginConfigs.defaults(kind)),
    }),
    listConfigPresets: async (ctx: HandlerContext) => ({
      data: await Promise.resolve(ctx.services.pluginConfigs.presets(kind).map(viewPreset)),
    }),
    runConfigValidation: async (
      ctx: HandlerContext,
      { body }: { body: { config_data: PluginConfigData[Kind] } },
    ) => viewValidation(await Promise.resolve(ctx.services.pluginConfigs.validate(kind, body.config_data))),
    runConfigPreview: async (
      ctx: HandlerContext,
      request: ToConfig<Id> & { body: Schemas['PluginConfigPreviewRequest'] | undefined },
    ) =>
      Promise.resolve(
        new Unkept(async () =>
          viewPreview(
            await ctx.services.pluginConfigs.preview(ctx, kind, idIn(request), request.body?.instance_id),
          ),
        ),
      ),
    deployConfig: async (
      ctx: HandlerContext,
      request: ToConfig<Id> & { body: Schemas['PluginConfigApply'] },
    ) => {
      const { expectedVersion, waitSeconds, body } = request;
      const { pluginApplications } = ctx.services;
      const application = await pluginApplications.create(ctx, kind, idIn(request), expectedVersion, body);
      return new Settling(viewApplication(application), async () =>
        viewApplication(await pluginApplications.waitForEnd(ctx, application.id, waitSeconds)),
      );
    },
    exportConfig: async (
      ctx: HandlerContext,
      request: ToConfig<Id> & { query: { framework?: Schemas['PluginFramework'] } | undefined },
    ) => {
      const { framework = 'oxide' } = request.query ?? {};
      return { files: await ctx.services.pluginConfigs.export(ctx, kind, idIn(request), framework) };
    },
    importConfig: async (ctx: HandlerContext, { body }: { body: Schemas['PluginConfigServerImport'] }) =>
      viewImported(await ctx.services.pluginConfigs.importFromServer(ctx, kind, body)),
    importConfigFiles: async (ctx: HandlerContext, { body }: { body: Schemas['PluginConfigFileImport'] }) =>
      viewImported(await ctx.services.pluginConfigs.importFiles(ctx, kind, body)),
  } satisfies Record<KindOperation, unknown>;
}

export const pluginConfigs = operationsOfKinds<Handlers>({
  'automatic-doors': handlersOfKind(pluginKinds['automatic-doors']),
  chat: handlersOfKind(pluginKinds.chat),
  'furnace-splitting': handlersOfKind(pluginKinds['furnace-splitting']),
  gather: handlersOfKind(pluginKinds.gather),
  kits: handlersOfKind(pluginKinds.kits),
  loot: handlersOfKind(pluginKinds.loot),
  'raidable-bases': handlersOfKind(pluginKinds['raidable-bases']),
  teleport: handlersOfKind(pluginKinds.teleport),
  'timed-commands': handlersOfKind(pluginKinds['timed-commands']),
});

export const viewVersioned = <Kind extends PluginKindName>(config: PluginConfigRow<Kind>) =>
  new Versioned(viewConfig(config), config.version);

function viewImported<Kind extends PluginKindName>({ config, notRead, notReadCount }: ImportedConfig<Kind>) {
  const not_read = notRead.map(({ file, ...remark }) => ({ file, ...viewRemark(remark) }));
  return new Versioned({ ...viewConfig(config), not_read, not_read_count: notReadCount }, config.version);
}

function viewConfig<Kind extends PluginKindName>({ config_data, ...summary }: PluginConfigRow<Kind>) {
  const { id, name, ...rest } = viewSummary(summary);
  return { id, name, config_data, ...rest };
}

function viewSummary(config: PluginConfigSummaryRow): Schemas['PluginConfigSummary'] {
  return {
    id: config.id,
    name: config.name,
    version: config.version,
    updated_by: config.updated_by,
    created_at: config.created_at,
    updated_at: config.updated_at,
  };
}

const viewPreset = <Data>({ name, description, config }: DeclaredPreset<Data>) => ({
  name,
  description,
  config_data: config,
});

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

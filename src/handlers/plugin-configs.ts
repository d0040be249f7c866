// Operations of the area `plugin-configs`: the same for every kind, each with its own types.
import type { Schemas } from '../platform-contract/types.ts';
import { Settling, Unkept, Versioned } from '../contract/replies.ts';
import type { ConfigData, KindDefinition } from '../plugin-configs/kind.ts';
import type { Remark } from '../plugin-configs/reading.ts';
import { kindDefinitions } from '../plugin-configs/registry.ts';
import type { ImportedConfig, PluginConfigs } from '../services/plugin-configs/index.ts';
import type { PluginConfigRow, PluginConfigSummaryRow } from '../services/plugin-configs/rows.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';
import { viewApplication } from './plugin-applications.ts';
import { viewRemark, viewRemarks } from './remarks.ts';

type Noun = (typeof kindDefinitions)[number]['noun'];

/** The operation ids of a kind, by its noun. */
type OperationOf<N extends string> =
  | `list${N}Configs`
  | `list${N}ConfigPresets`
  | `run${N}ConfigPreview`
  | `run${N}ConfigValidation`
  | `import${N}ConfigFiles`
  | `create${N}ConfigCopy`
  | `get${N}ConfigDefaults`
  | `${'create' | 'deploy' | 'delete' | 'export' | 'get' | 'import' | 'update'}${N}Config`;

/** The request parts that the operations of every kind share. */
interface Request {
  path: Readonly<Record<string, string>>;
  query: { q?: string; limit?: number; cursor?: string; framework?: Schemas['PluginFramework'] } | undefined;
  expectedVersion: number | null;
  waitSeconds: number;
  body: never;
}

/**
 * Handles the operations of one kind. Their types differ only in the configuration, which the code here never inspects.
 */
export function handlersOfKind({
  name: kind,
  noun,
}: Pick<KindDefinition, 'name' | 'noun'>): Record<
  string,
  (ctx: HandlerContext, request: Request) => Promise<unknown>
> {
  const idIn = ({ path }: Request) => path[`${kind.replaceAll('-', '_')}_config_id`] ?? '';
  return {
    [`list${noun}Configs`]: async (ctx, { query }) =>
      viewPage(await ctx.services.pluginConfigs.list(ctx, kind, query), viewSummary),
    [`create${noun}Config`]: async (ctx, { body }) =>
      viewVersioned(await ctx.services.pluginConfigs.create(ctx, kind, body)),
    [`get${noun}Config`]: async (ctx, request) =>
      viewVersioned(await ctx.services.pluginConfigs.get(ctx, kind, idIn(request))),
    [`update${noun}Config`]: async (ctx, request) =>
      viewVersioned(
        await ctx.services.pluginConfigs.update(
          ctx,
          kind,
          idIn(request),
          request.expectedVersion,
          request.body,
        ),
      ),
    [`delete${noun}Config`]: async (ctx, request) =>
      ctx.services.pluginConfigs.delete(ctx, kind, idIn(request), request.expectedVersion),
    [`create${noun}ConfigCopy`]: async (ctx, request) =>
      viewVersioned(await ctx.services.pluginConfigs.duplicate(ctx, kind, idIn(request), request.body)),
    [`get${noun}ConfigDefaults`]: async (ctx) => ({
      config_data: await Promise.resolve(ctx.services.pluginConfigs.defaults(kind)),
    }),
    [`list${noun}ConfigPresets`]: async (ctx) => ({
      data: await Promise.resolve(ctx.services.pluginConfigs.presets(kind).map(viewPreset)),
    }),
    [`run${noun}ConfigValidation`]: async (ctx, { body }) =>
      viewValidation(await Promise.resolve(ctx.services.pluginConfigs.validate(kind, configIn(body)))),
    [`run${noun}ConfigPreview`]: (ctx, request) =>
      Promise.resolve(
        new Unkept(async () =>
          viewPreview(
            await ctx.services.pluginConfigs.preview(ctx, kind, idIn(request), instanceIn(request.body)),
          ),
        ),
      ),
    [`deploy${noun}Config`]: async (ctx, request) => {
      const application = await ctx.services.pluginApplications.create(
        ctx,
        kind,
        idIn(request),
        request.expectedVersion,
        request.body,
      );
      return new Settling(viewApplication(application), async () =>
        viewApplication(
          await ctx.services.pluginApplications.waitForEnd(ctx, application.id, request.waitSeconds),
        ),
      );
    },
    [`export${noun}Config`]: async (ctx, request) => ({
      files: await ctx.services.pluginConfigs.export(
        ctx,
        kind,
        idIn(request),
        request.query?.framework ?? 'oxide',
      ),
    }),
    [`import${noun}Config`]: async (ctx, { body }) =>
      viewImported(await ctx.services.pluginConfigs.importFromServer(ctx, kind, body)),
    [`import${noun}ConfigFiles`]: async (ctx, { body }) =>
      viewImported(await ctx.services.pluginConfigs.importFiles(ctx, kind, body)),
  };
}

const configIn = ({ config_data }: { config_data: ConfigData }) => config_data;
const instanceIn = (body: { instance_id?: string } | undefined) => body?.instance_id;

// The cast is safe: the contract validates requests and replies against each kind's schema.
export const pluginConfigs = Object.assign({}, ...kindDefinitions.map(handlersOfKind)) as Pick<
  Handlers,
  OperationOf<Noun>
>;

export const viewVersioned = (config: PluginConfigRow) => new Versioned(viewConfig(config), config.version);

function viewImported({ config, notRead, notReadCount }: ImportedConfig) {
  const not_read = notRead.map(({ file, ...remark }) => ({ file, ...viewRemark(remark) }));
  return new Versioned({ ...viewConfig(config), not_read, not_read_count: notReadCount }, config.version);
}

function viewConfig({ config_data, ...summary }: PluginConfigRow) {
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

const viewPreset = ({
  name,
  description,
  config,
}: {
  name: string;
  description: string;
  config: ConfigData;
}) => ({
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

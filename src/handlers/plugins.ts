// Operations of the area `plugins`.
import type { Schemas } from '../platform-contract/types.ts';
import type { InstalledPlugins, PluginCopyRow } from '../services/plugins.ts';
import { accepting } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const plugins = {
  listPlugins: async (ctx, { path }) =>
    viewInstalledPlugins(await ctx.services.plugins.list(ctx, path.instance_id)),
  listPluginCopies: async (ctx, { path }) => ({
    data: (await ctx.services.plugins.listCopies(ctx, path.instance_id)).map(viewCopy),
  }),
  installPlugin: accepting((ctx, { path, query, bodyStream }) =>
    ctx.services.plugins.install(ctx, path, query, bodyStream),
  ),
  loadPlugin: accepting((ctx, { path }) => ctx.services.plugins.command(ctx, path, 'load_plugin')),
  unloadPlugin: accepting((ctx, { path }) => ctx.services.plugins.command(ctx, path, 'unload_plugin')),
  reloadPlugin: accepting((ctx, { path }) => ctx.services.plugins.command(ctx, path, 'reload_plugin')),
  uninstallPlugin: accepting((ctx, { path }) => ctx.services.plugins.command(ctx, path, 'uninstall_plugin')),
  restorePlugin: accepting((ctx, { path }) =>
    ctx.services.plugins.restore(ctx, path.instance_id, path.plugin_copy_id),
  ),
} satisfies Partial<Handlers>;

function viewInstalledPlugins({
  at,
  framework,
  framework_version,
  plugins: installed,
}: InstalledPlugins): Schemas['PluginList'] {
  return {
    framework,
    framework_version,
    data: installed.map(({ name, title, version, author, file, state, error }) => ({
      name,
      title: title ?? null,
      version: version ?? null,
      author: author ?? null,
      file: file ?? null,
      state,
      error: error ?? null,
    })),
    observed_at: at,
  };
}

function viewCopy({ id, plugin, size, sha256, kept_at, expires_at }: PluginCopyRow): Schemas['PluginCopy'] {
  return { id, plugin, size, sha256, kept_at, expires_at };
}

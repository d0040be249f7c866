// Determines which framework loads the plugins of an instance, and which folders it uses.
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { FileError } from '../instance-files/file-error.ts';
import type { Modding } from '../rcon/server-replies.ts';
import type { Instance } from '../supervisor/instance.ts';

export type Framework = Modding['framework'];

/** The framework that the running server reports, else the one found on disk. Only one can be installed. */
export function frameworkOf({ context: { config, rcon } }: Instance): Framework | null {
  if (rcon !== null && rcon.modding !== null) return rcon.modding.framework;
  const isThere = (framework: Framework) => existsSync(join(config.cwd, framework));
  return (['carbon', 'oxide'] as const).find(isThere) ?? null;
}

/** Returns the console command that reloads `{plugin}`, or null. A Rust server has Oxide unless Carbon is found. */
export function reloadTemplateOf(instance: Instance): string | null {
  const { console, game } = instance.context.config;
  if (console.reloadPlugin !== undefined) return console.reloadPlugin;
  const framework = frameworkOf(instance) ?? (game === 'rust' ? 'oxide' : null);
  return framework === null ? null : consoleCommand(framework, 'reload', '{plugin}');
}

/** Returns the plugin folder relative to the instance's root. The platform may not change a folder outside the root. */
export const pluginFolderOf = (instance: Instance) => folderOf(instance, 'plugins');

const configFolder: Readonly<Record<Framework, string>> = { oxide: 'config', carbon: 'configs' };

/** Resolves a name that begins with `config/` or `data/` to the framework's file, relative to the instance's root. */
export function pluginFilePathOf(instance: Instance, file: string): string {
  const [place = '', ...steps] = file.split('/');
  const folder = place === 'config' ? configFolder[knownFrameworkOf(instance)] : place;
  return [folderOf(instance, folder), ...steps].join('/');
}

function knownFrameworkOf(instance: Instance): Framework {
  const framework = frameworkOf(instance);
  if (framework === null)
    throw new FileError('not_supported', 'The instance has neither Oxide nor Carbon in its folder.');
  return framework;
}

function folderOf(instance: Instance, folder: string): string {
  const { cwd, root } = instance.context.config;
  const path = relative(root, join(cwd, knownFrameworkOf(instance), folder));
  if (path === '' || path.startsWith('..') || isAbsolute(path))
    throw new FileError('not_supported', 'The folder of the framework is not below the instance’s root.');
  return path.split(sep).join('/');
}

/** Builds a console command of the framework. The plugin name holds only letters, digits and underscores. */
export function consoleCommand(framework: Framework, what: string, plugin?: string): string {
  const command = `${framework === 'carbon' ? 'c' : 'oxide'}.${what}`;
  return plugin === undefined ? command : `${command} ${plugin}`;
}

// How a simulated host carries out commands about plugins and their files.
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import { fail, filesOf, store, succeed, textOf, whileRunning, type Work } from './command-work.ts';
import { sha256Of, textFile } from './content.ts';
import { contentAt } from './disk.ts';
import { print } from './state.ts';

const maxPlugins = 100;

export const pluginCommands = {
  load_plugin: (work) => changePlugin(work, 'loaded', 'was loaded'),
  reload_plugin: (work) => changePlugin(work, 'loaded', 'was reloaded'),
  unload_plugin: (work) => changePlugin(work, 'unloaded', 'was unloaded'),
  uninstall_plugin: (work) => {
    const name = textOf(work.args, 'plugin');
    if (!work.server.plugins.some((plugin) => plugin.name === name)) {
      fail(work, 'plugin_not_found', `There is no plugin ${name}.`);
      return;
    }
    work.server.plugins = work.server.plugins.filter((plugin) => plugin.name !== name);
    delete filesOf(work)[`oxide/plugins/${name}.cs`];
    succeed(work, `${name} was uninstalled.`);
  },
  install_plugin: (work) => install(work, work.uploads.get(textOf(work.args, 'upload'))),
  install_module: (work) => install(work, textFile('// A simulated module.\n')),
  apply_plugin_files: (work) => {
    const files = work.args['files'] as BusSchemas['AppliedPluginFile'][];
    for (const { file, present } of files) {
      const known = contentAt(filesOf(work), `oxide/${file}`);
      if ((known === undefined ? null : sha256Of(known)) !== present) {
        fail(work, 'files_changed', `${file} has changed since it was read.`);
        return;
      }
    }
    const written = new Map<string, string>();
    for (const { file, upload } of files) {
      const content = work.uploads.get(upload);
      if (content !== undefined) written.set(`oxide/${file}`, content);
    }
    if (!store(work, written)) return;
    succeed(work, 'The files were written.', { is_loaded: work.server.state === 'running' });
  },
} satisfies Partial<Record<CommandVerb, (work: Work) => void>>;

function changePlugin(work: Work, state: 'loaded' | 'unloaded', done: string): void {
  whileRunning(work, () => {
    const name = textOf(work.args, 'plugin');
    const plugin = work.server.plugins.find((one) => one.name === name);
    if (plugin === undefined) {
      fail(work, 'plugin_not_found', `There is no plugin ${name}.`);
      return;
    }
    plugin.state = state;
    print(work.server, `${state === 'loaded' ? 'Loaded' : 'Unloaded'} plugin ${name}`, work.nowMs);
    succeed(work, `${name} ${done}.`);
  });
}

function install(work: Work, content: string | undefined): void {
  const name = textOf(work.args, 'plugin');
  if (content === undefined) {
    fail(work, 'invalid', 'The upload has expired.');
    return;
  }
  const isRunning = work.server.state === 'running';
  if (
    work.server.plugins.length >= maxPlugins &&
    !work.server.plugins.some((plugin) => plugin.name === name)
  ) {
    fail(work, 'limit_reached', `A simulated server has at most ${maxPlugins} plugins.`);
    return;
  }
  if (!store(work, new Map([[`oxide/plugins/${name}.cs`, content]]))) return;
  work.server.plugins = [
    ...work.server.plugins.filter((plugin) => plugin.name !== name),
    { name, title: name, version: '1.0.0', file: `${name}.cs`, state: isRunning ? 'loaded' : 'unloaded' },
  ];
  succeed(work, `${name} was installed.`);
}

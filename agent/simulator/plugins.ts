// The plugins of the simulated server: files in the framework's folder, loaded as they come, and its console commands.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GroupMembers } from './group-members.ts';
import { PluginFiles } from './plugin-files.ts';

interface Plugin {
  title: string;
  author: string;
  version: string;
  source: string;
  fault: string | null;
  files: PluginFiles;
  isLoaded: boolean;
}

export class Plugins {
  readonly #framework: 'oxide' | 'carbon';
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #plugins = new Map<string, Plugin>();
  readonly #permissions = new GroupMembers();

  constructor(framework: 'oxide' | 'carbon', log: (line: string) => void) {
    this.#framework = framework;
    this.#folder = join(framework, 'plugins');
    this.#log = log;
  }

  prepare(): void {
    for (const folder of [
      'plugins',
      this.#framework === 'oxide' ? 'config' : 'configs',
      'data',
      'lang',
      'logs',
    ])
      mkdirSync(join(this.#framework, folder), { recursive: true });
  }

  /** Takes notice of files that have come, changed or gone. */
  look(): void {
    if (!existsSync(this.#folder)) return;
    const files = readdirSync(this.#folder).filter((name) => name.endsWith('.cs'));
    for (const file of files.sort()) {
      const name = file.slice(0, -'.cs'.length);
      const source = readFileSync(join(this.#folder, file), 'utf8');
      if (this.#plugins.get(name)?.source !== source) this.#load(name, source);
    }
    for (const name of [...this.#plugins.keys()]) {
      if (files.includes(`${name}.cs`)) continue;
      this.#unload(name);
      this.#plugins.delete(name);
    }
  }

  /** The reply to a command of the framework; undefined when it is none. */
  run(command: string, args: string[]): string | undefined {
    const verb = this.#verbOf(command);
    const names = args.some((arg) => arg === '*' || arg === 'all') ? [...this.#plugins.keys()] : args;
    this.look();
    switch (verb) {
      case 'version':
        return this.#framework === 'oxide' ? 'Oxide.Rust Version: 2.0.6512' : 'Carbon 2.0.208 [minimal]';
      case 'plugins':
        if (this.#framework === 'oxide') return this.#oxideList();
        return args.some((arg) => ['-json', '-j', '--json', '--j'].includes(arg))
          ? this.#carbonJson()
          : this.#carbonList();
      case 'load':
      case 'reload':
        for (const name of names) {
          const plugin = this.#plugins.get(name);
          if (plugin === undefined) this.#log(`Plugin '${name}' not found.`);
          else {
            if (verb === 'reload') this.#unload(name);
            if (!plugin.isLoaded) this.#load(name, plugin.source);
          }
        }
        return '';
      case 'unload':
        for (const name of names) this.#unload(name);
        return '';
      case 'usergroup':
        return this.#permissions.changeGroup(args);
      case undefined:
      default:
        return undefined;
    }
  }

  #verbOf(command: string): string | undefined {
    const pattern = this.#framework === 'oxide' ? /^(?:oxide|o)\.(\w+)$/ : /^(?:carbon|c)\.(\w+)$/;
    return pattern.exec(command)?.[1];
  }

  #load(name: string, source: string): void {
    const [, title = name, author = 'Unknown', version = '0.0.0'] =
      /\[Info\("([^"]*)",\s*"([^"]*)",\s*"([^"]*)"\)\]/.exec(source) ?? [];
    const wrong = /#error ([^\n]*)/.exec(source)?.[1] ?? null;
    const files = new PluginFiles(this.#framework, name, source);
    const fault = wrong ?? files.read();
    this.#plugins.set(name, { title, author, version, source, fault, files, isLoaded: fault === null });
    if (fault === null) this.#log(`Loaded plugin ${title} v${version} by ${author}`);
    else if (wrong === null) this.#log(`Failed to initialize plugin '${name} v${version}' (${fault})`);
    else if (this.#framework === 'oxide') this.#log(`Error while compiling ${name}: ${fault}`);
    else this.#log(`Failed compiling '${this.#folder}/${name}.cs':\n  1. ${fault}`);
  }

  #unload(name: string): void {
    const plugin = this.#plugins.get(name);
    if (plugin?.isLoaded !== true) return;
    plugin.isLoaded = false;
    plugin.files.unload();
    this.#log(`Unloaded plugin ${plugin.title} v${plugin.version} by ${plugin.author}`);
  }

  #oxideList(): string {
    const lines = [...this.#plugins].map(([name, { title, author, version, fault, isLoaded }], index) => {
      const number = String(index + 1).padStart(2, '0');
      return isLoaded
        ? `  ${number} "${title}" (${version}) by ${author} (0.01s / 12 KB) - ${name}.cs`
        : `  ${number} ${name} - ${fault ?? 'Unloaded'}`;
    });
    return [`Listing ${lines.length} plugins:`, ...lines].join('\n');
  }

  #carbonList(): string {
    const table = (widths: number[], rows: string[][]) =>
      rows.map((cells) =>
        cells
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('')
          .trimEnd(),
      );
    const named = [...this.#plugins].map(([name, plugin]) => ({ file: `${name}.cs`, ...plugin }));
    const [loaded, others] = [
      named.filter(({ isLoaded }) => isLoaded),
      named.filter(({ isLoaded }) => !isLoaded),
    ];
    const unloaded = others.filter(({ fault }) => fault === null);
    const failed = others.filter(({ fault }) => fault !== null);
    return [
      ...table(
        [4, 30, 20, 10, 12],
        [
          ['#', 'package', 'author', 'version', 'hook time'],
          ['1', `Scripts (${loaded.length})`],
          ...loaded.map(({ title, author, version }) => ['', title, author, `v${version}`, '0ms']),
        ],
      ),
      ...table(
        [4, 30],
        [['*', `Unloaded Plugins (${unloaded.length})`], ...unloaded.map(({ file }) => ['', file])],
      ),
      ...table(
        [4, 30, 8, 8],
        [
          ['*', `Failed Plugins (${failed.length})`, 'Line', 'Column', 'Stacktrace'],
          ...failed.map(({ file, fault }) => ['', file, '1', '2', fault ?? '']),
        ],
      ),
    ].join('\n');
  }

  #carbonJson(): string {
    const entries = [...this.#plugins].map(([name, plugin]) => ({
      file: `${this.#folder}/${name}.cs`,
      ...plugin,
    }));
    const shown = ({ title, author, version, file }: (typeof entries)[number]) => ({
      Name: title,
      Author: author,
      Version: version,
      FilePath: file,
    });
    const scripts = entries.filter(({ isLoaded }) => isLoaded).map(shown);
    return JSON.stringify({
      Plugins: [
        { Name: 'Carbon Community', Plugins: [{ Name: 'Core', Author: 'Carbon', Version: '2.0.208' }] },
        { Name: 'Scripts', Plugins: scripts },
      ],
      Unloaded: entries.filter(({ isLoaded, fault }) => !isLoaded && fault === null).map(({ file }) => file),
      Failed: entries
        .filter(({ fault }) => fault !== null)
        .map(({ file, fault }) => ({ File: file, Errors: [{ Message: fault, Line: 1, Column: 2 }] })),
    });
  }
}

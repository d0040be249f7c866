// Sends plugin commands to a running game server, and waits until a plugin reaches the wanted state.
import { pause } from '../backoff.ts';
import { RconError } from '../rcon/connection.ts';
import type { Rcon } from '../rcon/rcon.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { consoleCommand } from './framework.ts';
import type { Framework } from './framework.ts';
import { readPlugins } from './plugin-list.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import { PluginOutput } from './plugin-output.ts';
import type { Instance } from '../supervisor/instance.ts';

/** Requests for the list must get a reply within 5 s, even with an error. */
const listMs = 4_000;
/** How long a server may take to compile and load a plugin. */
export const settleMs = 30_000;
const pollMs = 500;

export interface Wanted {
  plugin: string;
  state: 'loaded' | 'unloaded';
  /** Whether a plugin that is already loaded must be reloaded. */
  isReload?: boolean;
}

/** The part of a server's RCON that this module uses. */
export type GameLine = Pick<Rcon, 'request' | 'listen'>;

export class PluginGame {
  readonly framework: Framework;
  readonly #rcon: GameLine;

  constructor(rcon: GameLine, framework: Framework) {
    this.#rcon = rcon;
    this.framework = framework;
  }

  async list(): Promise<InstalledPlugin[]> {
    const command = consoleCommand(this.framework, 'plugins');
    const line = this.framework === 'carbon' ? `${command} -json` : command;
    const plugins = readPlugins(this.framework, await this.#rcon.request(line, listMs));
    if (plugins === null) throw new RconError('broken', 'The game server returned no list of its plugins.');
    return plugins;
  }

  async find(plugin: string): Promise<InstalledPlugin | undefined> {
    return (await this.list()).find(({ name }) => name === plugin);
  }

  /** Sends a framework command. A missing reply is not an error, because many commands print nothing. */
  async send(what: string, plugin: string): Promise<void> {
    try {
      await this.#rcon.request(consoleCommand(this.framework, what, plugin));
    } catch (error) {
      if (!(error instanceof RconError) || error.fault !== 'silent') throw error;
    }
  }

  /**
   * Makes the change and waits until the server's output or list confirms it. `nudge` runs once if nothing has happened
   * after `afterMs`, because some servers do not detect new files by themselves.
   */
  async settle(
    wanted: Wanted,
    change: () => Promise<void>,
    nudge?: { afterMs: number; what: () => Promise<void> },
  ): Promise<Outcome> {
    const before = await this.find(wanted.plugin);
    const output = new PluginOutput(wanted.plugin);
    const stop = this.#rcon.listen((lines) => output.take(lines));
    try {
      await change();
      const startedMs = performance.now();
      let toNudge = nudge;
      while (performance.now() - startedMs < settleMs) {
        const outcome = evaluate(wanted, before, await this.#findPatiently(wanted.plugin), output);
        if (outcome !== null) return outcome;
        if (toNudge !== undefined && !output.isAny && performance.now() - startedMs > toNudge.afterMs) {
          await toNudge.what();
          toNudge = undefined;
        }
        await Promise.race([output.next(), pause(pollMs)]);
      }
      return this.#late(wanted);
    } finally {
      stop();
    }
  }

  /** Returns null when the server does not reply, because it may be busy compiling. */
  async #findPatiently(plugin: string): Promise<InstalledPlugin | undefined | null> {
    try {
      return await this.find(plugin);
    } catch (error) {
      if (error instanceof RconError && error.fault === 'silent') return null;
      throw error;
    }
  }

  async #late({ plugin, state }: Wanted): Promise<Outcome> {
    const found = await this.find(plugin);
    if (found?.state === 'failed') return failed('plugin_failed', found.error ?? `${plugin} has failed.`);
    return failed(
      'game_unreachable',
      `The game server did not confirm within ${settleMs / 1000} s that ${plugin} is ${state}; it is ${found?.state ?? 'not listed'} now.`,
    );
  }
}

/** Returns null while the outcome is undecided. `found` is null when the server did not reply. */
function evaluate(
  { plugin, state, isReload = false }: Wanted,
  before: InstalledPlugin | undefined,
  found: InstalledPlugin | undefined | null,
  output: PluginOutput,
): Outcome | null {
  if (output.isUnknown && found?.state !== state)
    return failed('plugin_not_found', `The game server does not know a plugin ${plugin}.`);
  if (state === 'unloaded')
    return found !== null && found?.state !== 'loaded' ? succeeded(`${plugin} is unloaded.`) : null;
  const isOtherFailure = before?.state !== 'failed' || found?.error !== before.error;
  if (found?.state === 'failed' && (isOtherFailure || output.failure !== null))
    return failed('plugin_failed', found.error ?? output.failure ?? `${plugin} has failed.`);
  if (output.failure !== null) return failed('plugin_failed', output.failure);
  if (found?.state !== 'loaded') return null;
  if (isReload && before?.state === 'loaded' && !output.hasLoaded(found)) return null;
  const version = found.version === undefined || found.version === '' ? '' : ` ${found.version}`;
  return succeeded(`${plugin}${version} is loaded.`);
}

/** Returns null when only the files can be changed: the server is not running yet, or it has no RCON. */
export function gameOf(instance: Instance): PluginGame | Outcome | null {
  const { rcon } = instance.context;
  const isStarting = instance.state === 'starting' && rcon?.isConnected !== true;
  if (rcon === null || instance.pid === null || isStarting) return null;
  if (!rcon.isConnected) {
    const why = 'detail' in rcon.state ? ` ${rcon.state.detail}` : '';
    return failed('game_unreachable', `The game server is not connected over RCON.${why}`);
  }
  if (rcon.modding === null) return failed('not_supported', 'The game server runs neither Oxide nor Carbon.');
  return new PluginGame(rcon, rcon.modding.framework);
}

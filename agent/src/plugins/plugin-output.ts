// Watches a game server's output for one plugin: loaded, failed or unknown.
import { plainText } from '../rcon/server-replies.ts';
import type { InstalledPlugin } from './installed-plugin.ts';

const maxLineLength = 2_000;
const maxLoaded = 1_000;
/** Maximum number of further lines of a multi-line message. */
const maxFollowing = 3;

const failing =
  /\b(?:error while compiling|failed (?:compiling|to (?:compile|load|initialize))|could ?n[o']t (?:compile|load))/i;
const missing = /\bnot (?:found|find)\b|\bdoes ?n[o']t exist\b/i;

export class PluginOutput {
  readonly #name: RegExp;
  readonly #loaded: string[] = [];
  #failure: string | null = null;
  #isUnknown = false;
  #isAny = false;
  #wake = Promise.withResolvers<void>();

  /** The name must hold only letters, digits and underscores. */
  constructor(plugin: string) {
    this.#name = new RegExp(`(?:^|[^A-Za-z0-9_])${plugin}(?![A-Za-z0-9_])`);
  }

  /** Why it failed, in the server's words. */
  get failure(): string | null {
    return this.#failure;
  }
  get isUnknown(): boolean {
    return this.#isUnknown;
  }
  /** Whether the output mentioned the loading of any plugin. */
  get isAny(): boolean {
    return this.#isAny;
  }

  /** Takes the lines of one message. */
  take(lines: string[]): void {
    for (const [index, line] of lines.entries()) this.#takeLine(line.slice(0, maxLineLength), lines, index);
  }

  hasLoaded({ name, title }: InstalledPlugin): boolean {
    const starts = [title, name].map((called) => `Loaded plugin ${called} v`);
    return this.#loaded.some((line) =>
      starts.some((start) => line.startsWith(start) && /^\d/.test(line.slice(start.length))),
    );
  }

  async next(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers();
  }

  #takeLine(line: string, lines: string[], index: number): void {
    const loaded = /^.{0,40}\b(Loaded plugin .*)$/.exec(line)?.[1];
    const isAboutIt = this.#name.test(line);
    if (loaded !== undefined && this.#loaded.length < maxLoaded) this.#loaded.push(loaded);
    else if (isAboutIt && failing.test(line)) {
      const following = lines.slice(index + 1, index + 1 + maxFollowing).map((text) => text.trim());
      this.#failure ??= plainText([line.trim(), ...following].join(' '), 500);
    } else if (isAboutIt && missing.test(line)) this.#isUnknown = true;
    else return;
    this.#isAny = true;
    this.#wake.resolve();
  }
}

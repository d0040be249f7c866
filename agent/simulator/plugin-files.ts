// The files that a plugin of the simulated server reads when it is loaded, and those that it writes when it is unloaded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class PluginFiles {
  readonly #config: string;
  readonly #data: string[];
  readonly #savedOnUnload: string[];
  /** What it writes over its configuration while it loads. */
  readonly #writtenOnLoad: string | null;
  /** A text that it can not be loaded with. */
  readonly #thrownOn: string | undefined;
  /** What it has read of the data that it saves. */
  readonly #memory = new Map<string, string>();

  /** What it reads and writes is told from its source, as its compiler would: `ReadObject<T>("X")`, `SaveOnUnload("X")`, `WriteConfigOnLoad("{}")`, `ThrowOn("text")`. */
  constructor(framework: 'oxide' | 'carbon', name: string, source: string) {
    const pathOf = ([, data = '']: RegExpMatchArray) => join(framework, 'data', `${data}.json`);
    this.#config = join(framework, framework === 'oxide' ? 'config' : 'configs', `${name}.json`);
    this.#data = [...source.matchAll(/ReadObject<[^>]*>\("([\w/ ]+)"\)/g)].map(pathOf);
    const written = /WriteConfigOnLoad\(("(?:\\.|[^"\\])*")\)/.exec(source)?.[1];
    this.#writtenOnLoad = written === undefined ? null : (JSON.parse(written) as string);
    const thrownOn = /ThrowOn\(("(?:\\.|[^"\\])*")\)/.exec(source)?.[1];
    this.#thrownOn = thrownOn === undefined ? undefined : (JSON.parse(thrownOn) as string);
    this.#savedOnUnload = [...source.matchAll(/SaveOnUnload\("([\w/ ]+)"\)/g)].map(pathOf);
  }

  /** Why the plugin can't be loaded with them; null when it can. */
  read(): string | null {
    for (const path of [this.#config, ...this.#data]) {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
      const fault = text === null ? null : faultIn(text);
      if (fault !== null) return `JsonReaderException: ${fault}`;
      if (this.#thrownOn !== undefined && text?.includes(this.#thrownOn) === true)
        return 'Exception: a value of the configuration is out of range';
    }
    for (const path of this.#savedOnUnload)
      if (existsSync(path)) this.#memory.set(path, readFileSync(path, 'utf8'));
    if (this.#writtenOnLoad !== null) writeFileSync(this.#config, this.#writtenOnLoad);
    return null;
  }

  unload(): void {
    for (const [path, text] of this.#memory) writeFileSync(path, text);
  }
}

const quoted = String.raw`"(?:\\.|[^"\\])*"`;
const comments = new RegExp(String.raw`(${quoted})|//[^\n]*|/\*[\s\S]*?\*/`, 'g');
const lastCommas = new RegExp(String.raw`(${quoted})|,(?=\s*[}\]])`, 'g');

/** Comments and commas behind the last element are no fault to the library that plugins read JSON with. */
function faultIn(text: string): string | null {
  try {
    JSON.parse(
      text
        .replace(/^\uFEFF/, '')
        .replace(comments, '$1')
        .replace(lastCommas, '$1'),
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(/[\n']/g, ' ') : String(error);
  }
}

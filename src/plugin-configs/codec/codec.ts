// Converts between files and configurations: small ones on this thread, large ones in worker threads.
import type { PluginKind } from '../kind.ts';
import { kindDefinitions } from '../registry.ts';
import { CodecThreads } from './threads.ts';
import { workedOut, type Answer, type Asked, type WorkName } from './works.ts';

/** Shorter texts take a few milliseconds, about as long as handing them to a thread. */
const longestHere = 64 * 1024;

export class Codec {
  readonly #threads = new CodecThreads();

  /** Rejects with a `JsonFault` if a file is not JSON, and with `CodecBusy` if the threads are overloaded. */
  async run<Name extends WorkName>(name: Name, kind: PluginKind, asked: Asked<Name>): Promise<Answer<Name>> {
    const isKnownThere = kindDefinitions.some((definition) => definition === kind.definition);
    return isKnownThere && lengthOf(asked) > longestHere
      ? this.#threads.run({ name, kind: kind.name, asked })
      : workedOut(name, kind, asked);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

function lengthOf(asked: Asked<WorkName>): number {
  const {
    config = '',
    present = [],
    contents = present,
  } = asked as {
    config?: string;
    present?: readonly (readonly [string, string])[];
    contents?: readonly (readonly [string, string])[];
  };
  return contents.reduce((sum, [, content]) => sum + content.length, config.length);
}

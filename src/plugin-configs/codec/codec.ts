// Converts between files and configurations: small ones on this thread, large ones in worker threads.
import type { PluginKind } from '../kind.ts';
import { kindDefinitions } from '../registry.ts';
import { CodecThreads } from './threads.ts';
import { runWork, type WorkResult, type WorkInput, type WorkName } from './works.ts';

/** Shorter texts take a few milliseconds, about as long as handing them to a thread. */
const maxInlineLength = 64 * 1024;

export class Codec {
  readonly #threads = new CodecThreads();

  /** Rejects with a `JsonFault` if a file is not JSON, and with `CodecBusy` if the threads are overloaded. */
  async run<Name extends WorkName>(
    name: Name,
    kind: PluginKind,
    input: WorkInput<Name>,
  ): Promise<WorkResult<Name>> {
    const isKnownThere = kindDefinitions.some((definition) => definition === kind.definition);
    return isKnownThere && lengthOf(input) > maxInlineLength
      ? this.#threads.run({ name, kind: kind.name, input })
      : runWork(name, kind, input);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

function lengthOf(input: WorkInput<WorkName>): number {
  const {
    config = '',
    present = [],
    contents = present,
  } = input as {
    config?: string;
    present?: readonly (readonly [string, string])[];
    contents?: readonly (readonly [string, string])[];
  };
  return contents.reduce((sum, [, content]) => sum + content.length, config.length);
}

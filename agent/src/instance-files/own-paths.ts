// Knows what on the host is the agent's own, such as its key and its token, and keeps file operations away from it.
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { isMissing } from '../system-error.ts';
import { FileError } from './file-error.ts';

interface Identity {
  dev: bigint;
  ino: bigint;
}

/** By identity, not by name: neither another spelling nor a hard link leads there. */
export class OwnPaths {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  async refuse({ dev, ino }: Identity): Promise<void> {
    for (const path of this.#paths) {
      const own = await stat(path, { bigint: true }).catch(nothingIfMissing);
      if (own !== null && own.dev === dev && own.ino === ino) throw ownFile();
    }
  }

  /** Refuses a directory that one of them is in. */
  async refuseWithin(directory: string): Promise<void> {
    for (const path of this.#paths) {
      const own = await realpath(path).catch(nothingIfMissing);
      if (own === directory || own?.startsWith(directory + sep) === true) throw ownFile();
    }
  }
}

function nothingIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const ownFile = () => new FileError('refused', 'It is the agent’s own.');

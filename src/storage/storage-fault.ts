// The single error class of storage failures; its cause is for the log only.

export class StorageFault extends Error {
  override readonly name = 'StorageFault';
}

/** Wraps errors of `work` as storage failures; use it only where nothing else can fail. */
export async function storing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFault(`${what} failed`, { cause: error });
  }
}

/** Records an error thrown by the source of a file, so that it is not mistaken for a storage failure. */
export class Source {
  failure: unknown;

  async *read(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

const key = /^[a-z]+(?:\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})+$/;

/** Throws unless the key consists of a kind and ids, so that user input cannot lead to another path. */
export function checkedKey(text: string): string {
  if (!key.test(text)) throw new Error('a key is a kind and ids');
  return text;
}

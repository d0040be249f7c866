// The one error of storage: the place could not do it. Why is for the log.

export class StorageFault extends Error {
  override readonly name = 'StorageFault';
}

/** Runs what only the storage can fail at. */
export async function storing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageFault(`${what} failed`, { cause: error });
  }
}

/** Remembers what the source of a file has thrown, so that it is not taken for a fault of the storage. */
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

/** Keys are made of ids alone: nothing that anybody has chosen can lead to another place. */
export function checkedKey(text: string): string {
  if (!key.test(text)) throw new Error('a key is a kind and ids');
  return text;
}

// What the user wants done: a second click joins the first, and another attempt after a failure has the same key.

interface Intent {
  /** For `Idempotency-Key`; an attempt whose response was lost is not carried out again under it. */
  key: string;
  /** While it runs, and shortly afterwards. */
  reply: Promise<unknown> | undefined;
  isDone: boolean;
}

interface Joined<T> {
  reply: T;
  /** Whether this call started it. */
  isFirst: boolean;
}

/** The second click of a double click arrives within it, and no second intention does. */
const settleMs = 800;

export class Intents {
  readonly #intents = new Map<string, Intent>();

  /** Two calls with the same text are one intent unless another one was started in between. */
  async run<T>(text: string, call: (key: string) => Promise<T>): Promise<Joined<T>> {
    const former = this.#intents.get(text);
    if (former?.reply !== undefined) return { reply: (await former.reply) as T, isFirst: false };
    const intent: Intent = former ?? { key: newKey(), reply: undefined, isDone: false };
    for (const [other, { isDone }] of this.#intents) if (isDone) this.#intents.delete(other);
    this.#intents.set(text, intent);
    try {
      const started = call(intent.key);
      intent.reply = started;
      const reply = await started;
      intent.isDone = true;
      setTimeout(() => {
        if (this.#intents.get(text) === intent) this.#intents.delete(text);
      }, settleMs);
      return { reply, isFirst: true };
    } catch (error) {
      intent.reply = undefined;
      throw error;
    }
  }
}

const blobs = new WeakMap<Blob, number>();
let blobCount = 0;

/** Each file and each body made of parts is another one; JSON would show all of them as an empty object. */
function nameOfBlob(blob: Blob): string {
  const number = blobs.get(blob) ?? (blobCount += 1);
  blobs.set(blob, number);
  return `blob ${number} of ${blob.size} bytes`;
}

/** The text of an intent: the same for the same request. */
export const intentText = (request: unknown): string =>
  JSON.stringify(request ?? null, (_, value: unknown) => (value instanceof Blob ? nameOfBlob(value) : value));

/** Does not use crypto.randomUUID, which is missing in pages over plain HTTP. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

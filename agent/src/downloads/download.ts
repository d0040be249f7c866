// Opens a download over HTTP that neither hangs nor goes anywhere else than to the address that it was given.
import { BrokenDownload, DownloadError } from './download-error.ts';

/** How long the other side may say nothing. */
const silenceMs = 30_000;
const partialContent = 206;
const mayPass = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface Download {
  /** Where the parts begin: what was asked for, or 0 when all of it comes again. */
  from: number;
  parts: AsyncGenerator<Uint8Array>;
}

export interface DownloadOptions {
  from: number;
  /** Of the content: a part of another one is not taken. */
  tag: string;
  signal: AbortSignal | undefined;
}

export async function openDownload(url: string, { from, tag, signal }: DownloadOptions): Promise<Download> {
  const silence = new Silence();
  const response = await broken(() =>
    fetch(url, {
      headers: from === 0 ? {} : { range: `bytes=${from}-`, 'if-range': tag },
      redirect: 'manual',
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    }),
  ).finally(() => silence.end());
  if (response.ok && response.body !== null)
    return { from: startOf(response), parts: partsOf(response.body, silence) };
  await response.body?.cancel();
  if (mayPass.has(response.status)) throw new BrokenDownload(`the answer had status ${response.status}`);
  throw new DownloadError(`It is not given: the answer had status ${response.status}.`);
}

function startOf({ status, headers }: Response): number {
  if (status !== partialContent) return 0;
  const start = /^bytes (\d{1,15})-/.exec(headers.get('content-range') ?? '')?.[1];
  if (start === undefined) throw new DownloadError('The answer does not say which part it is.');
  return Number(start);
}

async function* partsOf(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      silence.begin();
      const { done, value } = await broken(() => reader.read()).finally(() => silence.end());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // it has broken already
  }
}

/** Ends the connection when nothing is heard for too long; while the disk is slow it does not run. */
class Silence {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.#timer = setTimeout(
      () => this.#controller.abort(new Error('nothing was heard for too long')),
      silenceMs,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

async function broken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new BrokenDownload(cause instanceof Error ? cause.message : String(cause), { cause: error });
  }
}

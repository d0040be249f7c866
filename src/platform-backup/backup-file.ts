// The file of a backup: a ZIP file whose last entry lists every other one with its SHA-256.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile as OpenedZip } from 'yauzl';
import { ZipFile } from 'yazl';
import { ConfigError } from '../process/environment.ts';
import { exists, randomSuffix, syncDirectory } from '../process/files.ts';

const listName = 'manifest.json';

/** One part of the archive. Its stream is opened when the parts before it are written. */
export interface Part {
  name: string;
  open: () => Promise<Readable>;
  isCompressed: boolean;
}

export interface Digest {
  bytes: number;
  sha256: string;
}

/**
 * Writes the archive beside its path and renames it when it is complete and on the disk. `describe` returns the content of
 * the manifest; it is called after all parts.
 */
export async function writeArchive(
  path: string,
  parts: readonly Part[],
  describe: (digests: ReadonlyMap<string, Digest>) => object,
): Promise<void> {
  if (await exists(path)) throw new ConfigError(`${path} exists already: choose another name for the backup`);
  const draft = `${path}.${randomSuffix()}.part`;
  try {
    await pipeline(
      zipOf(parts, describe),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await rename(draft, path);
    await syncDirectory(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

function zipOf(parts: readonly Part[], describe: (digests: ReadonlyMap<string, Digest>) => object): Readable {
  const digests = new Map<string, Digest>();
  const zip = new ZipFile();
  const output = new Transform({ transform: (bytes, _encoding, done) => done(null, bytes) });
  zip.on('error', (error: Error) => output.destroy(error));
  const add = ({ name, open: openPart, isCompressed }: Part) =>
    zip.addReadStreamLazy(name, { compress: isCompressed, mode: 0o600 }, (give) => {
      openPart().then(
        (content) => {
          const digesting = new Digesting();
          digesting.once('end', () => digests.set(name, digesting.digest()));
          pipeline(content, digesting).catch((error: unknown) => output.destroy(error as Error));
          give(null, digesting);
        },
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  for (const part of parts) add(part);
  add({
    name: listName,
    isCompressed: true,
    open: async () =>
      Readable.from([JSON.stringify({ ...describe(digests), parts: Object.fromEntries(digests) })]),
  });
  zip.end();
  zip.outputStream.on('error', (error: Error) => output.destroy(error)).pipe(output);
  return output;
}

/** Passes bytes through, and counts and hashes them. */
class Digesting extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  override _transform(bytes: Buffer, _encoding: string, done: (error: null, bytes: Buffer) => void): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    done(null, bytes);
  }

  digest(): Digest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** A complete archive that was opened for reading. */
export class Archive {
  readonly manifest: unknown;
  readonly #path: string;
  readonly #zip: OpenedZip;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #digests: ReadonlyMap<string, Digest>;

  private constructor(
    path: string,
    zip: OpenedZip,
    entries: ReadonlyMap<string, Entry>,
    list: { manifest: unknown; digests: ReadonlyMap<string, Digest> },
  ) {
    this.#path = path;
    this.#zip = zip;
    this.#entries = entries;
    this.manifest = list.manifest;
    this.#digests = list.digests;
  }

  static async open(path: string): Promise<Archive> {
    let zip: OpenedZip | undefined;
    try {
      zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      const list = entries.get(listName);
      if (list === undefined) throw new Error('it has no manifest');
      const manifest = JSON.parse(await text(await zip.openReadStreamPromise(list))) as {
        parts?: Record<string, Digest>;
      };
      const digests = new Map(Object.entries(manifest.parts ?? {}));
      return new Archive(path, zip, entries, { manifest, digests });
    } catch (error) {
      zip?.close();
      throw new ConfigError(
        `${path} is not a complete backup: ${Error.isError(error) ? error.message : 'not a ZIP file'}`,
        { cause: error },
      );
    }
  }

  /** The names of all parts, without the manifest. */
  get names(): string[] {
    return [...this.#digests.keys()];
  }

  /** The stream fails at its end unless the content is what was written. */
  async read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    const expected = this.#digests.get(name);
    if (entry === undefined || expected === undefined)
      throw new ConfigError(`${this.#path} is damaged: it has no part ${name}`);
    const content = await this.#zip.openReadStreamPromise(entry);
    const checked = new Checking(expected, `${this.#path} is damaged: the part ${name} was changed`);
    pipeline(content, checked).catch(() => undefined); // the reader of `checked` gets the error
    return checked;
  }

  close(): void {
    this.#zip.close();
  }
}

class Checking extends Transform {
  readonly #hash = createHash('sha256');
  readonly #expected: Digest;
  readonly #complaint: string;

  constructor(expected: Digest, complaint: string) {
    super();
    this.#expected = expected;
    this.#complaint = complaint;
  }

  override _transform(bytes: Buffer, _encoding: string, done: (error: null, bytes: Buffer) => void): void {
    this.#hash.update(bytes);
    done(null, bytes);
  }

  override _flush(done: (error?: Error) => void): void {
    if (this.#hash.digest('hex') === this.#expected.sha256) done();
    else done(new ConfigError(this.#complaint));
  }
}

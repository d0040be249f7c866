// Downloads a map from the platform into an instance's `maps` directory, where it appears once it is verified.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { BrokenDownload, DownloadError, isMissing } from '../errors.ts';
import { openDownload } from '../downloads/download.ts';
import { writeWhole } from '../instance-files/content.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { StagedFile } from '../instance-files/staged-file.ts';
import type { Schemas } from '../messages.ts';

export type MapSource = Schemas['MapSource'];

/** Below an instance's root; no wipe deletes it. */
export const mapsFolder = 'maps';

/** Maximum number of consecutive attempts without progress. */
const attempts = 6;
const firstPauseMs = 500;
const maxPauseMs = 15_000;

export class MapFetcher {
  readonly #files: InstanceFiles;
  readonly #log: Logger;
  readonly #newBackoff: () => Backoff;

  constructor(files: InstanceFiles, log: Logger, newBackoff = () => new Backoff(firstPauseMs, maxPauseMs)) {
    this.#files = files;
    this.#log = log;
    this.#newBackoff = newBackoff;
  }

  /** Returns the path below the instance's root. Downloads nothing if the file exists; leaves nothing when it fails. */
  async fetch(source: MapSource, signal?: AbortSignal): Promise<string> {
    const path = `${mapsFolder}/${source.file_name}`;
    await this.#files.makeDirectory(mapsFolder);
    if (await this.#isThere(path, source)) return path;
    const staged = await this.#files.stage(path, true);
    try {
      await staged.room.require(source.bytes);
      await this.#fill(staged, source, signal);
      await this.#files.exclusively(() => staged.publish(true));
      return path;
    } finally {
      await staged.discard();
    }
  }

  /** A missing file is not an error. */
  async remove(fileName: string): Promise<void> {
    await this.#files.delete(`${mapsFolder}/${fileName}`, false).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  async #isThere(path: string, { bytes, sha256 }: MapSource): Promise<boolean> {
    const file = await this.#files.open(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (file === null) return false;
    try {
      if ((await file.stat()).size !== bytes) return false;
      const hash = createHash('sha256');
      for await (const part of file.createReadStream({ start: 0, autoClose: false }))
        hash.update(part as Buffer);
      return hash.digest('hex') === sha256;
    } finally {
      await file.close();
    }
  }

  async #fill(staged: StagedFile, source: MapSource, signal?: AbortSignal): Promise<void> {
    const backoff = this.#newBackoff();
    const arrived = new Arrived(staged, source.bytes);
    let furthest = 0;
    for (let attempt = 1; arrived.bytes < source.bytes; attempt += 1) {
      try {
        await this.#receive(arrived, source, signal);
      } catch (error) {
        if (arrived.bytes > furthest) {
          furthest = arrived.bytes;
          attempt = 0;
          backoff.reset();
        }
        if (!(error instanceof BrokenDownload) || attempt === attempts) throw error;
        this.#log.warn(
          { map_id: source.map_id, bytes: arrived.bytes, reason: error.message },
          'a download broke off',
        );
        await pause(backoff.nextMs(), signal);
        if (signal?.aborted === true) throw error;
      }
    }
    if (arrived.sha256() !== source.sha256)
      throw new DownloadError('The download is not the map: its checksum is wrong.');
  }

  /** Resumes where the connection broke, as long as the platform still has the same content. It may be in a private network. */
  async #receive(arrived: Arrived, { url, sha256, bytes }: MapSource, signal?: AbortSignal): Promise<void> {
    const tag = `"${sha256}"`;
    const download = await openDownload(url, { from: arrived.bytes, tag, signal, allowsPrivate: true });
    if (download.from !== arrived.bytes) arrived.restart();
    for await (const part of download.parts) await arrived.take(part);
    if (arrived.bytes < bytes) throw new BrokenDownload('the connection ended before the file did');
  }
}

/** The received part of a file, written and hashed. */
class Arrived {
  readonly #staged: StagedFile;
  readonly #max: number;
  #hash = createHash('sha256');
  bytes = 0;

  constructor(staged: StagedFile, max: number) {
    this.#staged = staged;
    this.#max = max;
  }

  async take(part: Uint8Array): Promise<void> {
    if (this.bytes + part.byteLength > this.#max)
      throw new DownloadError('The download is not the map: it is longer.');
    await writeWhole(this.#staged, part, this.bytes);
    this.#hash.update(part);
    this.bytes += part.byteLength;
  }

  restart(): void {
    this.#hash = createHash('sha256');
    this.bytes = 0;
  }

  sha256(): string {
    return this.#hash.digest('hex');
  }
}

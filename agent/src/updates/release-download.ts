// Downloads the agent's release from the platform: the signed list, and the executable that it names for this host.
import { createHash } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Backoff, pause } from '../backoff.ts';
import { openDownload } from '../downloads/download.ts';
import { BrokenDownload, BusyDownload, DownloadError } from '../errors.ts';
import { DiskRoom } from '../instance-files/disk-room.ts';
import { ownSchemas } from '../messages.ts';
import { isSignedRelease } from './release-signature.ts';

export interface ReleasedFile {
  platform: string;
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

interface ReleaseList {
  version: string;
  files: ReleasedFile[];
}

const maxListBytes = 64 * 1024;
const attempts = 4;

interface RetryOptions {
  newBackoff?: () => Backoff;
  /** Maximum time to wait in total while the platform serves other agents. */
  maxBusyMs?: number;
}

const isReleaseList = ownSchemas().compile<ReleaseList>({
  type: 'object',
  required: ['version', 'files'],
  properties: {
    version: { type: 'string' },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['platform', 'name', 'size', 'sha256'],
        properties: {
          platform: { type: 'string' },
          name: { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]{0,99}$' },
          size: { type: 'integer', minimum: 1 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
      },
    },
  },
});

export class ReleaseDownload {
  readonly #base: string;
  readonly #newBackoff: () => Backoff;
  readonly #maxBusyMs: number;

  constructor(
    platformUrl: string,
    { newBackoff = () => new Backoff(500, 15_000), maxBusyMs = 60 * 60_000 }: RetryOptions = {},
  ) {
    this.#base = `${platformUrl}/downloads/agent`;
    this.#newBackoff = newBackoff;
    this.#maxBusyMs = maxBusyMs;
  }

  /** Returns the executable of that version for the platform. The list must be signed with the key of the installation. */
  async find({
    version,
    platform,
    keyFile,
  }: {
    version: string;
    platform: string;
    keyFile: string;
  }): Promise<ReleasedFile> {
    const key = await readFile(keyFile, 'utf8');
    const [list, signature] = await Promise.all([
      this.#readSmall('release.json'),
      this.#readSmall('release.json.sig'),
    ]);
    if (!isSignedRelease(list, String(signature), key))
      throw new DownloadError(
        "The platform's release is not signed with the key that this agent was installed with.",
      );
    const release: unknown = JSON.parse(String(list));
    if (!isReleaseList(release)) throw new DownloadError("The list of the platform's release is malformed.");
    if (release.version !== version)
      throw new DownloadError(`The platform offers version ${release.version} instead of ${version} now.`);
    const found = release.files.find((file) => file.platform === platform);
    if (found === undefined) throw new DownloadError(`The release has no executable for ${platform}.`);
    return found;
  }

  /** Leaves no file behind unless it has the size and the checksum of the list. It is on disk when the promise resolves. */
  async fetch(wanted: ReleasedFile, path: string): Promise<void> {
    const room = new DiskRoom(dirname(path));
    await room.require(wanted.size);
    try {
      await this.#retrying(() => this.#fetchOnce(wanted, path, room));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async #fetchOnce(wanted: ReleasedFile, path: string, room: DiskRoom): Promise<void> {
    const { parts } = await this.#open(wanted.name);
    const file = await open(path, 'w', 0o755);
    try {
      const hash = createHash('sha256');
      let size = 0;
      for await (const part of parts) {
        size += part.byteLength;
        if (size > wanted.size) break;
        await room.take(part.byteLength);
        hash.update(part);
        await file.writeFile(part);
      }
      if (size < wanted.size) throw new BrokenDownload('the connection ended before the file did');
      if (size > wanted.size || hash.digest('hex') !== wanted.sha256)
        throw new DownloadError(
          `The download ${wanted.name} is not the file of the signed list: its checksum is wrong.`,
        );
      await file.sync();
    } finally {
      await file.close();
    }
  }

  #readSmall(name: string): Promise<Buffer> {
    return this.#retrying(async () => {
      const { parts } = await this.#open(name);
      const received: Uint8Array[] = [];
      let size = 0;
      for await (const part of parts) {
        size += part.byteLength;
        if (size > maxListBytes) throw new DownloadError(`The download ${name} is too large.`);
        received.push(part);
      }
      return Buffer.concat(received);
    });
  }

  /** The platform may be in a private network. */
  #open(name: string) {
    return openDownload(`${this.#base}/${name}`, {
      from: 0,
      tag: '',
      signal: undefined,
      allowsPrivate: true,
    });
  }

  /** The wait for a busy platform is no failed attempt. */
  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    const backoff = this.#newBackoff();
    let [failedCount, busyMs] = [0, 0];
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof BrokenDownload)) throw error;
        let pauseMs = backoff.nextMs();
        if (error instanceof BusyDownload) {
          pauseMs = Math.max(pauseMs, error.retryAfterMs);
          busyMs += pauseMs;
        } else failedCount += 1;
        if (failedCount === attempts || busyMs > this.#maxBusyMs) throw error;
        await pause(pauseMs);
      }
    }
  }
}

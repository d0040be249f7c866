// Downloads the plugin of a module from its registered address, and verifies its size and digest.
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { BrokenDownload, DownloadError } from '../errors.ts';
import { openDownload } from '../downloads/download.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import type { Schemas } from '../messages.ts';

const attempts = 5;
const firstPauseMs = 500;
const maxPauseMs = 5_000;

type Source = Pick<Schemas['InstallModuleArguments'], 'url' | 'sha256' | 'bytes'>;

/** Whether a URL may lead to an address within this host's network. */
export type AllowsPrivate = (url: string) => boolean;

export async function fetchModule(
  source: Source,
  allowsPrivate: AllowsPrivate,
  log: Logger,
): Promise<Buffer> {
  const backoff = new Backoff(firstPauseMs, maxPauseMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await receive(source, allowsPrivate(source.url));
    } catch (error) {
      if (!(error instanceof BrokenDownload) || attempt === attempts) throw error;
      log.warn({ url: source.url, reason: error.message }, 'a download broke off');
      await pause(backoff.nextMs());
    }
  }
}

async function receive({ url, sha256, bytes }: Source, allowsPrivate: boolean): Promise<Buffer> {
  const tag = `"${sha256}"`;
  const { parts } = await openDownload(url, { from: 0, tag, signal: undefined, allowsPrivate });
  const arrived: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > bytes) throw new DownloadError('The download is not the module: it is longer.');
    arrived.push(part);
  }
  if (size < bytes) throw new BrokenDownload('the connection ended before the file did');
  const whole = Buffer.concat(arrived);
  if (hashOf(whole) !== sha256)
    throw new DownloadError('The download is not the module: its checksum is wrong.');
  return whole;
}

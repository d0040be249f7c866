// The log file of an embedded server: emptied at each start of the platform, and limited in size.
import { copyFile, mkdir, open, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { lastLine } from './run-command.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
const CHECK_INTERVAL_MS = 30_000;

export interface LogFile {
  path: string;
  /** For the child's stdio. The child appends, so the file can be emptied meanwhile. */
  fd: number;
  size(): Promise<number>;
  textFrom(position: number): Promise<string>;
  /** The last matching line written since that position, or else the last line. */
  lastWordsFrom(position: number, pattern: RegExp): Promise<string>;
  close(): Promise<void>;
}

export async function openLogFile(path: string, log: Logger): Promise<LogFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, 'w', 0o600)).close();
  const file = await open(path, 'a+', 0o600);

  const size = async () => (await file.stat()).size;
  const textFrom = async (position: number) => {
    const length = (await size()) - position;
    if (length <= 0) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString('utf8', 0, bytesRead);
  };
  const keepSmall = async () => {
    if ((await size()) <= MAX_BYTES) return;
    await copyFile(path, `${path}.1`);
    await truncate(path);
  };
  const timer = setInterval(() => {
    keepSmall().catch((error: unknown) => log.warn({ err: error, path }, 'Cannot shorten a log file'));
  }, CHECK_INTERVAL_MS).unref();

  return {
    path,
    fd: file.fd,
    size,
    textFrom,
    lastWordsFrom: async (position, pattern) => {
      const text = await textFrom(Math.max(position, (await size()) - TAIL_BYTES));
      return lastLine(
        text
          .split('\n')
          .filter((line) => pattern.test(line))
          .at(-1) ?? text,
      );
    },
    close: async () => {
      clearInterval(timer);
      await file.close();
    },
  };
}

// Reads untrusted zip files: verifies size and checksum of each entry, and reports faults in readable sentences.
import { crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import { fromFdPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { FileError } from './file-error.ts';
import { stepsOf } from './file-path.ts';

/** Error messages of the library, by their beginning, and the text that is reported instead. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^(?:invalid relative path|absolute path)/, 'it has a name that leads out of it'],
  [/^invalid characters in fileName/, 'it has a name with a backslash'],
  [
    /^(?:too many bytes|not enough bytes|compressed\/uncompressed size)/,
    'a file in it has another size than it says',
  ],
  [/^file data overflows/, 'it is cut off'],
  [/^(?:unsupported compression method|strong encryption)/, 'it is packed in a way that is not supported'],
];
const maxShown = 200;

export async function openZip(archive: FileHandle): Promise<ZipFile> {
  return fromFdPromise(archive.fd, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
    validateEntrySizes: true,
  }).catch(brokenArchive);
}

export async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    brokenArchive(error);
  }
}

/** Returns the path steps of the entry. The name of a directory ends with a slash. */
export function stepsIn({ fileName }: Entry): string[] {
  try {
    return stepsOf(fileName.endsWith('/') ? fileName.slice(0, -1) : fileName);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new FileError(error.code, `The archive has the name "${shown(fileName)}". ${error.message}`);
  }
}

/** Yields the whole content, or throws. */
export async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let size = 0;
  try {
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      sum = crc32(bytes as Buffer, sum);
      size += (bytes as Buffer).byteLength;
      yield bytes as Buffer;
    }
  } catch (error) {
    brokenArchive(error);
  }
  if (sum !== entry.crc32 || size !== entry.uncompressedSize)
    throw broken(`"${shown(entry.fileName)}" is not what its checksum says`);
}

const broken = (why: string, cause?: unknown) =>
  new FileError('failed', `The archive is broken: ${why}.`, { cause });

/** An error from the operating system is rethrown, because it is not the archive's fault. */
function brokenArchive(error: unknown): never {
  if (!(error instanceof Error) || 'syscall' in error) throw error;
  if (error.message.startsWith('End of central directory'))
    throw broken('it is not a zip file, or is incomplete', error);
  const [, why = 'it cannot be read'] = faults.find(([pattern]) => pattern.test(error.message)) ?? [];
  throw broken(why, error);
}

/** Entry names may contain any character. */
const shown = (name: string) => name.replace(/[\p{C}"]/gu, '?').slice(0, maxShown);

// The archive of a backup: a zip file whose last entry lists the others with their checksums.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fromFdPromise } from 'yauzl';
import type { Entry, ZipFile as OpenedZip } from 'yauzl';
import { ZipFile } from 'yazl';
import { bytesOf, writeAll } from '../instance-files/content.ts';
import type { Writable } from '../instance-files/content.ts';
import { placeOf, within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { stepsOf } from '../instance-files/file-path.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { refuseSpecial } from '../instance-files/unzip.ts';
import { largeBytes, maxEntries } from '../instance-files/zip.ts';
import { isMissing } from '../errors.ts';
import type { Found } from './contents.ts';

/** No file of an instance can have this name. */
const manifestName = '.gantry-manifest.jsonl';
const maxManifestBytes = 256 * 1024 * 1024;
/** The game server runs at the same time, so CPU time costs more than disk space. */
const compressionLevel = 1;

/** A line of the manifest. The checksum of a directory is empty. */
export interface Listed extends Found {
  sha256: string;
}

export interface Packed {
  listed: Listed[];
  /** Checksum of the archive. */
  sha256: string;
  /** Number of files that changed or disappeared while they were read. */
  changed: number;
}

/** Writes the files into the open archive. A file that grows meanwhile is cut at its former size. */
export async function pack(
  archive: Writable,
  files: InstanceFiles,
  found: readonly Found[],
): Promise<Packed> {
  const zip = new ZipFile();
  const packed = zip.outputStream as Readable;
  // An entry's error is emitted on the zip file only; without this its output stream would wait forever.
  zip.on('error', (error: Error) => packed.destroy(error));
  const whole = new Summed(packed);
  const failure = new AbortController();
  const writing = writeAll(archive, whole).catch((error: unknown) => {
    failure.abort(error);
    throw error;
  });
  const filling = fill(zip, files, found, failure.signal).catch((error: unknown) => {
    packed.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  // Each failure aborts the writing, which rejects with the original error.
  const [written, filled] = await Promise.allSettled([writing, filling]);
  if (written.status === 'rejected') throw written.reason;
  if (filled.status === 'rejected') throw filled.reason;
  return { ...filled.value, sha256: whole.sha256() };
}

/**
 * Passes every entry to `take` with its complete content, or throws when the content is not what was packed. Trusts
 * nothing in the archive, because it may have been changed.
 */
export async function unpack(
  archive: FileHandle,
  take: (entry: Listed, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const zip = await fromFdPromise(archive.fd, {
    lazyEntries: true,
    autoClose: false,
    strictFileNames: true,
    validateEntrySizes: true,
  }).catch(asDamaged);
  const entries = await entriesOf(zip).catch(asDamaged);
  const manifest = entries.get(manifestName);
  if (manifest === undefined) throw damaged('it has no manifest');
  const listed = await listedIn(zip, manifest);
  if (listed.length !== entries.size - 1) throw damaged('its content is not as expected');
  for (const item of listed) {
    const entry = entries.get(item.isDirectory ? `${item.path}/` : item.path);
    if (entry === undefined) throw damaged(`it lacks "${item.path}"`);
    refuseSpecial(entry, item.isDirectory);
    await take(item, item.isDirectory ? Readable.from([]) : contentOf(zip, entry, item));
  }
}

/** Counts and hashes the bytes that pass through. */
class Summed implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterable<Buffer>;
  readonly #hash = createHash('sha256');
  size = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source;
  }

  /** Valid once all bytes have passed. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const bytes of this.#source) {
      this.#hash.update(bytes);
      this.size += bytes.byteLength;
      yield bytes;
    }
  }
}

async function fill(
  zip: ZipFile,
  files: InstanceFiles,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<Pick<Packed, 'listed' | 'changed'>> {
  const listed: Listed[] = [];
  let changed = 0;
  for (const item of found) {
    if (item.isDirectory) {
      const { path, mode, mtimeMs } = item;
      zip.addEmptyDirectory(path, { mtime: new Date(mtimeMs), mode: 0o040000 | (mode & 0o777) });
      listed.push({ ...item, sha256: '' });
      continue;
    }
    const file = await openUnlessGone(files, item.path);
    const added = file === null ? null : await add(zip, file, item, signal);
    if (added !== null) listed.push(added.listed);
    if (added === null || added.isChanged) changed += 1;
  }
  const lines = listed.map((item) => `${JSON.stringify(item)}\n`);
  zip.addBuffer(Buffer.from(lines.join('')), manifestName, { compressionLevel });
  zip.end();
  return { listed, changed };
}

async function openUnlessGone(files: InstanceFiles, path: string): Promise<FileHandle | null> {
  const { parents, name } = placeOf(path);
  try {
    return await within(files.openRoot, parents, (folder) => folder.openFile(name));
  } catch (error) {
    const isOther = error instanceof FileError && (error.code === 'wrong_type' || error.code === 'refused');
    if (isMissing(error) || isOther) return null; // no longer a regular file
    throw error;
  }
}

async function add(
  zip: ZipFile,
  file: FileHandle,
  item: Found,
  signal: AbortSignal,
): Promise<{ listed: Listed; isChanged: boolean }> {
  try {
    const before = await file.stat();
    const content = new Summed(bytesOf(file, before.size));
    const stream = Readable.from(content, { objectMode: false });
    zip.addReadStream(stream, item.path, {
      mtime: before.mtime,
      mode: 0o100000 | (item.mode & 0o777),
      compressionLevel,
      forceZip64Format: before.size > largeBytes,
    });
    try {
      await finished(stream, { signal });
    } finally {
      stream.destroy();
    }
    const after = await file.stat();
    const { size } = content;
    const isChanged = [before.size, after.size].some((other) => other !== size);
    return {
      listed: { ...item, size, mtimeMs: before.mtimeMs, sha256: content.sha256() },
      isChanged: isChanged || after.mtimeMs !== before.mtimeMs,
    };
  } finally {
    await file.close();
  }
}

async function entriesOf(zip: OpenedZip): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size > maxEntries) throw damaged('it has too many entries');
    if (entries.has(entry.fileName)) throw damaged('it has a duplicate entry');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function listedIn(zip: OpenedZip, entry: Entry): Promise<Listed[]> {
  if (entry.uncompressedSize > maxManifestBytes) throw damaged('its manifest is too long');
  const parts: Buffer[] = [];
  const stream = await zip.openReadStreamPromise(entry).catch(asDamaged);
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) parts.push(bytes);
  } catch (error) {
    asDamaged(error);
  }
  const lines = Buffer.concat(parts).toString('utf8').split('\n').slice(0, -1);
  return lines.map(listedOf);
}

/** Validates a manifest line. A path that leads outside is refused here, before it is used. */
function listedOf(line: string): Listed {
  const { path, isDirectory, size, mode, mtimeMs, sha256 } = parsed(line);
  if (
    typeof path !== 'string' ||
    typeof isDirectory !== 'boolean' ||
    typeof size !== 'number' ||
    typeof mode !== 'number' ||
    typeof mtimeMs !== 'number' ||
    typeof sha256 !== 'string' ||
    !Number.isSafeInteger(size) ||
    size < 0
  )
    throw damaged('its manifest cannot be read');
  try {
    stepsOf(path);
  } catch (error) {
    asDamaged(error);
  }
  return { path, isDirectory, size, mode, mtimeMs, sha256 };
}

function parsed(line: string): Partial<Record<keyof Listed, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // reported as an unreadable manifest
  }
}

async function* contentOf(zip: OpenedZip, entry: Entry, item: Listed): AsyncGenerator<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry).catch(asDamaged);
  const content = new Summed(stream as AsyncIterable<Buffer>);
  try {
    for await (const bytes of content) {
      if (content.size > item.size) break;
      yield bytes;
    }
  } catch (error) {
    asDamaged(error);
  }
  if (content.size !== item.size || content.sha256() !== item.sha256)
    throw damaged(`"${item.path}" is not what it was`);
}

const damaged = (why: string, cause?: unknown) =>
  new FileError('checksum', `The archive is damaged: ${why}.`, { cause });

function asDamaged(error: unknown): never {
  if (error instanceof FileError && error.code === 'checksum') throw error;
  throw damaged('it cannot be read', error);
}

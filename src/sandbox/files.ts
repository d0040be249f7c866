// The files of simulated servers: a small tree in memory, with the requests that agents serve.
import { createHash, randomUUID } from 'node:crypto';
import type { BusSchemas, FileVerb, RequestOf } from '../platform-contract/bus-types.ts';
import { sha256Of } from './content.ts';
import { contentAt, fits, hasDirectory, leadsThroughFile, write, type FileTree } from './disk.ts';
import { ownValue, type SimulatedHost } from './state.ts';

type Request = RequestOf<FileVerb>;
type Reply = BusSchemas['FileReply'];
type ErrorCode = BusSchemas['FileError']['code'];

const maxUploadBytes = 256 * 1024;
const maxTransfers = 4;
const chunkBytes = 256 * 1024;
const idleMs = 60_000;

class Refused extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

interface Transfer {
  instance: string;
  /** Where an upload is put when it is finished; null for one that a command names. */
  path: string | null;
  content: Buffer;
  isUpload: boolean;
  timer: NodeJS.Timeout;
}

/** Transfers are in the memory of the process that runs the host; like those of an agent, they end with it. */
export class FileTransfers {
  readonly #open = new Map<string, Transfer>();
  /** Finished uploads that a command will name. */
  readonly #uploads = new Map<string, string>();

  /** Contents of uploads that commands name, in base64. */
  get uploads(): ReadonlyMap<string, string> {
    return this.#uploads;
  }

  close(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
    this.#uploads.clear();
  }

  respond(host: SimulatedHost, verb: FileVerb, request: Request, nowMs: number): Reply {
    try {
      const files = ownValue(host.files, request.instance);
      if (files === undefined) throw new Refused('unknown_instance', `There is no ${request.instance}.`);
      return { v: 1, ok: true, ...this.#carryOut(host, files, verb, request, new Date(nowMs)) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { v: 1, ok: false, error: { code: error.code, detail: error.message } };
    }
  }

  /** One part of a transfer: a line of JSON, followed by bytes. */
  exchange(message: Uint8Array): Buffer {
    const end = message.indexOf(10);
    const head = JSON.parse(Buffer.from(message.subarray(0, end)).toString()) as BusSchemas['FileChunk'];
    const transfer = this.#open.get(head.transfer);
    const reply = (more: object, bytes: Uint8Array = new Uint8Array()) =>
      Buffer.concat([Buffer.from(`${JSON.stringify({ v: 1, seq: head.seq, ...more })}\n`), bytes]);
    if (transfer === undefined)
      return reply({ ok: false, error: { code: 'unknown_transfer', detail: 'The transfer has ended.' } });
    transfer.timer.refresh();
    if (transfer.isUpload) {
      transfer.content = Buffer.concat([transfer.content, message.subarray(end + 1)]);
      if (transfer.content.byteLength <= maxUploadBytes) return reply({ ok: true });
      this.#end(head.transfer);
      return reply({ ok: false, error: { code: 'too_large', detail: tooLarge } });
    }
    const start = head.seq * chunkBytes;
    const bytes = transfer.content.subarray(start, start + chunkBytes);
    const isLast = start + bytes.byteLength >= transfer.content.byteLength;
    const sha256 = createHash('sha256').update(transfer.content).digest('hex');
    return reply({ ok: true, ...(isLast && { sha256 }) }, bytes);
  }

  #carryOut(
    host: SimulatedHost,
    files: FileTree,
    verb: FileVerb,
    request: Request,
    at: Date,
  ): Partial<Reply> {
    const path = request.path ?? '';
    switch (verb) {
      case 'file-list': {
        const found = entriesOf(files, path, at).filter(({ name }) => name > (request.after ?? ''));
        const limit = request.limit ?? 100;
        return { entries: found.slice(0, limit), more: found.length > limit };
      }
      case 'file-stat':
        return { entry: entryOf(files, path, at) };
      case 'file-read': {
        const content = contentOf(files, path);
        return { data: content, sha256: sha256Of(content), entry: entryOf(files, path, at) };
      }
      case 'file-write': {
        const known = contentAt(files, path);
        if (request.if_match !== undefined && (known === undefined || sha256Of(known) !== request.if_match))
          throw new Refused('changed', 'The file has changed since it was read.');
        put(host, files, path, request.data ?? '');
        return { sha256: sha256Of(request.data ?? ''), entry: entryOf(files, path, at) };
      }
      case 'file-make-directory':
        if (hasDirectory(files, path) || Object.hasOwn(files, path))
          throw new Refused('exists', `${path} exists.`);
        put(host, files, `${path}/`, '');
        return { entry: entryOf(files, path, at) };
      case 'file-rename':
        return rename(host, files, request, at);
      case 'file-delete':
        return remove(files, path, request.recursive === true);
      case 'file-download':
        return this.#download(files, request);
      case 'file-upload':
        if (Object.hasOwn(files, path) && request.overwrite !== true)
          throw new Refused('exists', `${path} exists.`);
        return this.#begin({ instance: request.instance, path, content: Buffer.alloc(0), isUpload: true });
      case 'file-upload-plugin':
      case 'file-upload-plugin-file':
        return {
          ...this.#begin({
            instance: request.instance,
            path: null,
            content: Buffer.alloc(0),
            isUpload: true,
          }),
          ...(request.plugin !== undefined && { path: `oxide/plugins/${request.plugin}.cs` }),
        };
      case 'file-connect':
        throw new Refused('not_supported', 'Simulated hosts open no data connections.');
      case 'file-finish':
        return this.#finish(host, files, request, at);
      case 'file-end':
        this.#end(request.transfer ?? '');
        return {};
    }
  }

  #download(files: FileTree, request: Request) {
    if (request.backup_id !== undefined)
      throw new Refused('not_supported', 'Simulated backups have no content.');
    const path = request.path ?? `oxide/${request.plugin_file ?? ''}`;
    const content = Buffer.from(contentOf(files, path), 'base64');
    return this.#begin({ instance: request.instance, path, content, isUpload: false });
  }

  #finish(host: SimulatedHost, files: FileTree, { transfer = '', sha256 }: Request, at: Date) {
    const open = this.#open.get(transfer);
    if (open === undefined) throw new Refused('unknown_transfer', 'The transfer has ended.');
    this.#end(transfer);
    const received = createHash('sha256').update(open.content).digest('hex');
    if (received !== sha256)
      throw new Refused('checksum', 'The received content differs from what was sent.');
    const data = open.content.toString('base64');
    if (open.path === null) {
      this.#uploads.set(transfer, data);
      if (this.#uploads.size > 2 * maxTransfers) this.#uploads.delete([...this.#uploads.keys()][0] ?? '');
      const entry = { name: 'upload', kind: 'file' as const, size: open.content.byteLength };
      return { sha256: received, entry: { ...entry, modified_at: at.toISOString() } };
    }
    put(host, files, open.path, data);
    return { sha256: received, entry: entryOf(files, open.path, at) };
  }

  #begin(transfer: Omit<Transfer, 'timer'>): { transfer: string; size: number } {
    if (this.#open.size >= maxTransfers) throw new Refused('busy', 'Too many transfers are running.');
    const id = randomUUID();
    const timer = setTimeout(() => this.#end(id), idleMs);
    timer.unref();
    this.#open.set(id, { ...transfer, timer });
    return { transfer: id, size: transfer.content.byteLength };
  }

  #end(id: string): void {
    clearTimeout(this.#open.get(id)?.timer);
    this.#open.delete(id);
  }
}

const tooLarge = `Files of a sandbox have at most ${maxUploadBytes} bytes.`;

function put(host: SimulatedHost, files: FileTree, path: string, data: string): void {
  if (!path.endsWith('/') && hasDirectory(files, path))
    throw new Refused('wrong_type', `${path} is a directory.`);
  if (leadsThroughFile(files, path)) throw new Refused('wrong_type', `${path} leads through a file.`);
  const written = new Map([[path, data]]);
  if (!fits(host, files, written)) throw new Refused('disk_full', 'The simulated disk is full.');
  write(files, written);
}

function rename(
  host: SimulatedHost,
  files: FileTree,
  { path = '', new_path: to = '', overwrite }: Request,
  at: Date,
): Partial<Reply> {
  const content = contentOf(files, path);
  if (Object.hasOwn(files, to) && overwrite !== true) throw new Refused('exists', `${to} exists.`);
  delete files[path];
  try {
    put(host, files, to, content);
  } catch (error) {
    write(files, new Map([[path, content]]));
    throw error;
  }
  return { entry: entryOf(files, to, at) };
}

function remove(files: FileTree, path: string, isRecursive: boolean): Partial<Reply> {
  if (Object.hasOwn(files, path)) {
    delete files[path];
    return {};
  }
  const inside = Object.keys(files).filter((name) => name.startsWith(`${path}/`));
  if (inside.length === 0) throw new Refused('not_found', `There is no ${path}.`);
  if (!isRecursive && inside.some((name) => name !== `${path}/`))
    throw new Refused('not_empty', `${path} is not empty.`);
  for (const name of inside) delete files[name];
  return {};
}

function contentOf(files: FileTree, path: string): string {
  const content = contentAt(files, path);
  if (content !== undefined) return content;
  if (hasDirectory(files, path)) throw new Refused('wrong_type', `${path} is a directory.`);
  throw new Refused('not_found', `There is no ${path}.`);
}

function entryOf(files: FileTree, path: string, at: Date): BusSchemas['FileEntry'] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const content = contentAt(files, path);
  const modified_at = at.toISOString();
  if (content !== undefined)
    return { name, kind: 'file', size: Buffer.byteLength(content, 'base64'), modified_at };
  if (hasDirectory(files, path)) return { name, kind: 'directory', modified_at };
  throw new Refused('not_found', `There is no ${path}.`);
}

/** What is directly in the directory, sorted by name. */
function entriesOf(files: FileTree, path: string, at: Date): BusSchemas['FileEntry'][] {
  if (Object.hasOwn(files, path)) throw new Refused('wrong_type', `${path} is a file.`);
  if (!hasDirectory(files, path)) throw new Refused('not_found', `There is no ${path}.`);
  const start = path === '' ? '' : `${path}/`;
  const names = new Set(
    Object.keys(files)
      .filter((name) => name.startsWith(start) && name !== start)
      .map((name) => name.slice(start.length).split('/')[0] ?? ''),
  );
  return [...names].sort().map((name) => entryOf(files, `${start}${name}`, at));
}

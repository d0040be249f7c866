// The files of game instances: requests are forwarded to the agent, which has the final decision.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Bus } from '../../bus/bus.ts';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { Download } from '../../results/results.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import type { CommandRow, Commands } from '../commands/index.ts';
import { addressOfInstance } from '../../agent-requests/instance-address.ts';
import { decodeCursor, encodeCursor } from '../../lists/cursor.ts';
import { badCursor, type Page } from '../../lists/page.ts';
import type { Permission } from '../auth/role-permissions.ts';
import { agentFault, AgentFiles, type FileReply } from './agent-files.ts';
import { recordingChange } from './audit.ts';
import type { DataConnections } from './data-connections.ts';
import type { Opened } from './transfer.ts';
import { accessCheck, downloadOf, sendUpload, type Sending } from './transfers.ts';
import { checkedFolder, checkedPath, nameIn, pathIn } from './path.ts';

/** Maximum bytes of a text file that is read or written in one request. */
const maxTextBytes = 256 * 1024;

type Entry = NonNullable<FileReply['entry']>;

export interface FileRow extends Entry {
  path: string;
}

export interface StoredRow {
  path: string;
  size: number;
  sha256: string;
  modified_at: string;
}

/** Problem codes of each kind of operation besides `not_found`; see the contract. */
const statCodes: ProblemCode[] = ['wrong_file_type', 'path_refused'];
const readCodes: ProblemCode[] = [...statCodes, 'file_too_large'];
const downloadCodes: ProblemCode[] = [...statCodes, 'limit_reached'];
/** Backups of simulated agents have no content. */
const backupCodes: ProblemCode[] = ['limit_reached', 'not_supported'];
const changeCodes: ProblemCode[] = ['file_exists', ...statCodes, 'disk_full'];
const deleteCodes: ProblemCode[] = ['directory_not_empty', 'path_refused', 'disk_full'];
const writeCodes: ProblemCode[] = [...readCodes, 'stale_version', 'disk_full'];
export const uploadCodes: ProblemCode[] = [
  ...changeCodes,
  'file_too_large',
  'limit_reached',
  'checksum_mismatch',
];

interface FileParts {
  bus: Bus;
  lastingAccess: LastingAccess;
}

export class Files {
  readonly #bus: Bus;
  readonly #lastingAccess: LastingAccess;
  readonly #connections: DataConnections;
  readonly #commands: Commands;

  constructor({ bus, lastingAccess }: FileParts, connections: DataConnections, commands: Commands) {
    this.#bus = bus;
    this.#connections = connections;
    this.#commands = commands;
    this.#lastingAccess = lastingAccess;
  }

  async list(ctx: Ctx, instanceId: string, query: Query<'listFiles'>): Promise<Page<FileRow>> {
    const { path = '', limit = 25, cursor } = query;
    const after = cursor === undefined ? {} : { after: nameOf(cursor) };
    const files = await this.#of(ctx, instanceId);
    const { entries, more } = await files.ask(
      'file-list',
      { path: checkedFolder(path), limit, ...after },
      statCodes,
    );
    const rows = (entries ?? []).map((entry) => ({ ...entry, path: pathIn(path, entry.name) }));
    const last = rows.at(-1);
    return { rows, nextCursor: more === true && last !== undefined ? encodeCursor(last.name) : null };
  }

  async stat(ctx: Ctx, instanceId: string, path: string): Promise<FileRow> {
    const files = await this.#of(ctx, instanceId);
    return rowOf(path, await files.ask('file-stat', { path: checkedPath(path) }, statCodes));
  }

  async read(ctx: Ctx, instanceId: string, path: string): Promise<StoredRow & { content: string }> {
    const files = await this.#of(ctx, instanceId);
    const reply = await files.ask('file-read', { path: checkedPath(path) }, readCodes);
    const content = Buffer.from(reply.data ?? '', 'base64');
    return { ...storedOf(path, reply, content.byteLength), content: textOf(content) };
  }

  async write(
    ctx: Ctx,
    instanceId: string,
    { path, content }: Query<'writeFile'> & Schemas['FileWrite'],
    expectedHashes: readonly string[] | null,
  ): Promise<StoredRow> {
    const bytes = Buffer.from(content);
    const files = await this.#of(ctx, instanceId);
    if (bytes.byteLength > maxTextBytes)
      throw new DomainError('file_too_large', 'The text has more than 256 KiB in UTF-8; upload it instead.');
    const request = { path: checkedPath(path), data: bytes.toString('base64') };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const [known, ...others] = expectedHashes ?? [];
    const change = {
      action: 'updated' as const,
      ...(known !== undefined && others.length === 0 && { before: { sha256: known } }),
      after: { path, size: bytes.byteLength, sha256 },
    };
    const reply = await recordingChange(ctx, instanceId, change, () =>
      withFirstMatch(expectedHashes, (hash) =>
        files.ask('file-write', { ...request, ...(hash !== undefined && { if_match: hash }) }, writeCodes),
      ),
    );
    return storedOf(path, reply, bytes.byteLength);
  }

  async rename(
    ctx: Ctx,
    instanceId: string,
    formerPath: string,
    rename: Schemas['FileRename'],
  ): Promise<FileRow> {
    const [path, new_path] = [checkedPath(formerPath), checkedPath(rename.new_path)];
    const files = await this.#of(ctx, instanceId);
    const overwrite = rename.overwrite ?? false;
    const change = {
      action: 'updated' as const,
      before: { path },
      after: { path: new_path, overwrite },
    };
    const reply = await recordingChange(ctx, instanceId, change, () =>
      files.ask('file-rename', { path, new_path, overwrite }, changeCodes),
    );
    return rowOf(new_path, reply);
  }

  async makeDirectory(ctx: Ctx, instanceId: string, path: string): Promise<FileRow> {
    const request = { path: checkedPath(path) };
    const files = await this.#of(ctx, instanceId);
    const change = { action: 'created' as const, after: { path, kind: 'directory' } };
    const reply = await recordingChange(ctx, instanceId, change, () =>
      files.ask('file-make-directory', request, changeCodes),
    );
    return rowOf(path, reply);
  }

  async delete(
    ctx: Ctx,
    instanceId: string,
    { path, recursive = false }: Query<'deleteFile'>,
  ): Promise<void> {
    const request = { path: checkedPath(path), recursive };
    const files = await this.#of(ctx, instanceId);
    const change = { action: 'deleted' as const, before: request };
    await recordingChange(ctx, instanceId, change, () => files.ask('file-delete', request, deleteCodes));
  }

  async download(ctx: Ctx, instanceId: string, path: string): Promise<Download> {
    const files = await this.#of(ctx, instanceId);
    const opened = openedOf(await files.ask('file-download', { path: checkedPath(path) }, downloadCodes));
    return new Download(
      downloadOf(this.#paths(files), opened, this.#accessCheck(ctx, 'files.view'), downloadCodes),
      {
        mediaType: 'application/octet-stream',
        fileName: nameIn(path),
        size: opened.size,
      },
    );
  }

  /** Streams the archive of a backup of the instance. */
  async downloadBackup(ctx: Ctx, instanceId: string, backupId: string): Promise<Download> {
    const files = await this.#of(ctx, instanceId);
    const opened = openedOf(await files.ask('file-download', { backup_id: backupId }, backupCodes));
    const checkAccess = this.#accessCheck(ctx, 'backups.view', 'files.view');
    return new Download(downloadOf(this.#paths(files), opened, checkAccess, backupCodes), {
      mediaType: 'application/zip',
      fileName: `${backupId}.zip`,
      size: opened.size,
    });
  }

  async upload(
    ctx: Ctx,
    instanceId: string,
    { path, overwrite = false, sha256 }: Query<'uploadFile'>,
    body: Readable,
  ): Promise<StoredRow> {
    const files = await this.#of(ctx, instanceId);
    const opened = openedOf(
      await files.ask('file-upload', { path: checkedPath(path), overwrite }, uploadCodes),
    );
    const sending: Sending = {
      body,
      sha256,
      checkAccess: this.#accessCheck(ctx, 'files.manage'),
      finishing: (arrived, finish) => {
        const action = overwrite ? 'updated' : 'created';
        return recordingChange(ctx, instanceId, { action, after: { path, ...arrived } }, finish);
      },
    };
    const stored = await sendUpload(this.#paths(files), opened, sending, uploadCodes);
    return storedOf(path, stored, stored.size);
  }

  async archive(
    ctx: Ctx,
    instanceId: string,
    { paths, archive_path }: Schemas['ArchiveCreate'],
  ): Promise<CommandRow> {
    const args = { paths: paths.map(checkedPath), archive_path: checkedPath(archive_path) };
    return this.#commands.create(ctx, instanceId, { verb: 'zip_files', args });
  }

  async extract(
    ctx: Ctx,
    instanceId: string,
    { archive_path, path = '', overwrite = false }: Schemas['ArchiveExtraction'],
  ): Promise<CommandRow> {
    const args = { archive_path: checkedPath(archive_path), path: checkedFolder(path), overwrite };
    return this.#commands.create(ctx, instanceId, { verb: 'unzip_file', args });
  }

  #paths(files: AgentFiles) {
    return { files, connections: this.#connections };
  }

  #accessCheck(ctx: Ctx, ...permissions: Permission[]) {
    return accessCheck(ctx, permissions, this.#lastingAccess);
  }

  async #of(ctx: Ctx, instanceId: string): Promise<AgentFiles> {
    return new AgentFiles(this.#bus, await addressOfInstance(ctx, instanceId));
  }
}

function rowOf(path: string, { entry }: FileReply): FileRow {
  if (entry === undefined) throw agentFault('The reply of the agent lacks the entry.');
  return { ...entry, name: nameIn(path), path };
}

function storedOf(
  path: string,
  { entry, sha256 }: { entry?: Entry | undefined; sha256?: string | undefined },
  size: number,
): StoredRow {
  if (entry === undefined || sha256 === undefined)
    throw agentFault('The reply of the agent lacks the stored file.');
  return { path, size, sha256, modified_at: entry.modified_at };
}

export function openedOf({ transfer, size }: FileReply): Opened {
  if (transfer === undefined || size === undefined) throw agentFault('The agent did not begin the transfer.');
  return { transfer, size };
}

function textOf(content: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    if (!text.includes('\0')) return text;
  } catch (error) {
    throw notText(error);
  }
  throw notText();
}

const notText = (cause?: unknown) =>
  new DomainError('not_text', 'The file is not a UTF-8 text; download it instead.', { cause });

/** Attempts the work with each hash until one is that of the content; without a condition if `hashes` is null. */
async function withFirstMatch<T>(
  hashes: readonly string[] | null,
  work: (hash?: string) => Promise<T>,
): Promise<T> {
  if (hashes === null) return work();
  let refusal: DomainError = new DomainError(
    'stale_version',
    'If-Match has no SHA-256 of content that can match.',
  );
  for (const hash of hashes) {
    try {
      return await work(hash);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'stale_version') throw error;
      refusal = error as DomainError;
    }
  }
  throw refusal;
}

function nameOf(cursor: string): string {
  const name = decodeCursor(cursor);
  if (name === undefined || name === '' || name.length > 255 || name.includes('\0')) throw badCursor();
  return name;
}

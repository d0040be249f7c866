// Reads the plugin files of a game instance, and uploads new contents for them to its agent.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Bus } from '../../bus/bus.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';
import { AgentFiles } from '../files/agent-files.ts';
import { openedOf } from '../files/index.ts';
import type { AccessCheck } from '../files/transfer.ts';
import { downloadOf, sendUpload } from '../files/transfers.ts';
import type { InstanceAddress } from '../../agent-requests/instance-address.ts';

/** Maximum of one file; agents accept no larger ones. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum of all files of a kind, which are in memory together. */
const maxTotalBytes = 2 * maxBytes;

const refusals: ProblemCode[] = ['limit_reached', 'not_supported', 'file_too_large'];

export interface ServerFile {
  content: string;
  bytes: number;
  sha256: string;
  /** Relative to the root of the instance. */
  path: string | null;
}

/** Files by their names relative to the framework's folder; a file that does not exist has no entry. */
export type ServerFiles = ReadonlyMap<string, ServerFile>;

export const contentsOf = (files: ServerFiles) =>
  new Map([...files].map(([file, { content }]) => [file, content]));

export class PluginFilesOfServer {
  readonly #files: AgentFiles;
  readonly #checkAccess: AccessCheck;

  constructor(bus: Bus, address: InstanceAddress, checkAccess: AccessCheck) {
    this.#files = new AgentFiles(bus, address);
    this.#checkAccess = checkAccess;
  }

  async read(names: readonly string[]): Promise<ServerFiles> {
    const found = new Map<string, ServerFile>();
    let left = maxTotalBytes;
    for (const name of names) {
      const file = await this.#readOne(name, left);
      if (file === null) continue;
      found.set(name, file);
      left -= file.bytes;
    }
    return found;
  }

  /**
   * Returns the names of the files in a folder, relative to the instance's root; empty if the folder does not exist.
   */
  async list(path: string, max: number): Promise<string[]> {
    const names: string[] = [];
    const ask = (after: string | undefined) =>
      this.#files.ask('file-list', { path, limit: 100, ...(after !== undefined && { after }) }, refusals);
    try {
      for (let isMore = true; isMore && names.length < max;) {
        const { entries = [], more = false } = await ask(names.at(-1));
        names.push(...entries.filter(({ kind }) => kind === 'file').map(({ name }) => name));
        isMore = more && entries.length > 0;
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    }
    return names;
  }

  /** Uploads the content; returns the id under which the agent keeps it for an hour. */
  async upload(content: string): Promise<string> {
    const opened = openedOf(await this.#files.ask('file-upload-plugin-file', {}, refusals));
    const body = Readable.from([Buffer.from(content)]);
    const sending = { body, sha256: hashOf(content), checkAccess: this.#checkAccess };
    await sendUpload({ files: this.#files }, opened, sending, [
      ...refusals,
      'checksum_mismatch',
      'disk_full',
    ]);
    return opened.transfer;
  }

  async #readOne(name: string, left: number): Promise<ServerFile | null> {
    const reply = await this.#files
      .ask('file-download', { plugin_file: name }, refusals)
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        if (error.code === 'not_found') return null;
        // The agent's error names no file, and a kind has many files.
        if (error.code !== 'agent_refused') throw error;
        throw new DomainError(error.code, `${name} cannot be read: ${error.message}`, { cause: error });
      });
    if (reply === null) return null;
    const opened = openedOf(reply);
    const stream = downloadOf({ files: this.#files }, opened, this.#checkAccess, refusals);
    if (opened.size > Math.min(maxBytes, left)) {
      stream.destroy();
      const why =
        opened.size > maxBytes ? 'has more than 16 MiB' : 'and the files before it have more than 32 MiB';
      throw new DomainError('file_too_large', `${name} ${why} on the server.`);
    }
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const content = Buffer.concat(parts);
    return {
      content: textOf(name, content),
      bytes: content.byteLength,
      sha256: createHash('sha256').update(content).digest('hex'),
      path: reply.path ?? null,
    };
  }
}

export const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

function textOf(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw new DomainError('plugin_file_unreadable', `${name} is not a UTF-8 text.`, { cause: error });
  }
}

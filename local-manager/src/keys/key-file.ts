// Finds the SSH key in the vendor's folder, and gives ssh a copy where file modes cannot be set.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from '../refusals.ts';
import { replaceFile, withoutSpace } from '../whole-files.ts';
import type { LocalFolder } from './local-folder.ts';

const folderName = 'DuneAwakeningServer';
const fileName = 'sshKey';

export interface KeyState {
  /** Its path or expected path; null if even the folder is unknown. */
  path: string | null;
  isPresent: boolean;
  /** Why the key is missing; null if it is present. */
  trouble: string | null;
}

export interface UsableKey {
  /** The file for ssh. */
  file: string;
  /** The file to replace the key in: the same, unless ssh gets a copy. */
  source: string;
  isEncrypted: boolean;
}

export class KeyFile {
  readonly #folder: LocalFolder;
  readonly #home: string;
  readonly #isWsl: boolean;

  constructor(folder: LocalFolder, options: { home: string; isWsl: boolean }) {
    this.#folder = folder;
    this.#home = options.home;
    this.#isWsl = options.isWsl;
  }

  get isWsl(): boolean {
    return this.#isWsl;
  }

  /** The manager's own copy, for Windows files, whose modes ssh would not trust. */
  get copyPath(): string {
    return join(this.#home, 'keys', fileName);
  }

  async path(): Promise<string | null> {
    const folder = await this.#folder.find();
    return folder === null ? null : join(folder, folderName, fileName);
  }

  async state(): Promise<KeyState> {
    const path = await this.path();
    const trouble = troubleOf(path, path === null ? undefined : await contentOf(path));
    return { path, isPresent: trouble === null, trouble };
  }

  /** The key in a form that ssh accepts; throws a refusal if it is missing. */
  async usable(): Promise<UsableKey> {
    const path = await this.path();
    const content = path === null ? undefined : await contentOf(path);
    const trouble = troubleOf(path, content);
    if (path === null || content === undefined || trouble !== null)
      throw refusal('ssh_key_missing', `${trouble ?? ''} Import the virtual machine, or copy the key there.`);
    const file = this.#isWsl ? await this.#copy(content) : path;
    return { file, source: path, isEncrypted: isEncrypted(content) };
  }

  hasCopy(): Promise<boolean> {
    return stat(this.copyPath).then(
      () => true,
      () => false,
    );
  }

  async removeCopies(): Promise<void> {
    await rm(join(this.#home, 'keys'), { recursive: true, force: true });
  }

  /** Creates the file with its mode, so that other users can never read it. */
  async #copy(content: Buffer): Promise<string> {
    const target = this.copyPath;
    const present = await contentOf(target).catch(() => undefined);
    if (present?.equals(content) === true && (await isPrivate(target))) return target;
    await mkdir(join(this.#home, 'keys'), { recursive: true, mode: 0o700 });
    const fresh = `${target}.${randomUUID()}`;
    await withoutSpace(fresh, () => writeFile(fresh, content, { flag: 'wx', mode: 0o600 })).catch(
      async (error: unknown) => {
        await rm(fresh, { force: true });
        throw error;
      },
    );
    if (!(await isPrivate(fresh))) {
      await rm(fresh, { force: true });
      throw refusal(
        'ssh_key_permissions',
        `Files in ${this.#home} cannot be protected from other users, because it is on a Windows drive. Set LOCAL_MANAGER_HOME to a Linux folder.`,
      );
    }
    await replaceFile(fresh, target);
    return target;
  }
}

const isPrivate = async (file: string) => ((await stat(file)).mode & 0o777) === 0o600;

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw refusal('ssh_key_permissions', `The SSH key at ${path} cannot be read.`, { cause: error });
  }
}

function troubleOf(path: string | null, content: Buffer | undefined): string | null {
  if (path === null || content === undefined)
    return `There is no SSH key${path === null ? '' : ` at ${path}`}.`;
  if (content.length === 0) return `The file at ${path} is empty, not an SSH key.`;
  return /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m.test(content.toString('latin1'))
    ? null
    : `The file at ${path} is not an SSH key.`;
}

/** Whether the key requires a passphrase: OpenSSH's own format names a cipher, older formats have a header. */
export function isEncrypted(content: Buffer): boolean {
  const text = content.toString('latin1');
  if (/ENCRYPTED/.test(text)) return true;
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(text)?.[1];
  if (body === undefined) return false;
  const bytes = Buffer.from(body, 'base64');
  const magic = 'openssh-key-v1\0';
  if (bytes.toString('latin1', 0, magic.length) !== magic || bytes.length < magic.length + 4) return false;
  const length = bytes.readUInt32BE(magic.length);
  return bytes.toString('latin1', magic.length + 4, magic.length + 4 + length) !== 'none';
}

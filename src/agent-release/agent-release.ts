// The release of the agent that this platform hands out: read from a directory, and checked before anything is served.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { Logger } from 'pino';

export interface ReleasedFile {
  /** Operating system and processor, such as `linux-x64`. */
  platform: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

export interface Release {
  version: string;
  commit: string;
  files: ReleasedFile[];
  /** The public key that the release is signed with, as PEM. */
  keyPem: string;
  directory: string;
}

/** Names of the files beside the executables. */
export const signedListNames = ['release.json', 'release.json.sig', 'release-key.pem'] as const;

const schema = {
  type: 'object',
  required: ['version', 'commit', 'files'],
  properties: {
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+[A-Za-z0-9.+-]{0,40}$' },
    commit: { type: 'string', maxLength: 100 },
    files: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['platform', 'name', 'size', 'sha256'],
        properties: {
          platform: { type: 'string', pattern: '^[a-z0-9]{1,16}-[a-z0-9]{1,16}$' },
          name: { type: 'string', pattern: '^gantry-agent-[a-z0-9-]{1,40}(\\.exe)?$' },
          size: { type: 'integer', minimum: 1 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
      },
    },
  },
};

type List = Pick<Release, 'version' | 'commit' | 'files'>;

const isList = new Ajv().compile<List>(schema);

interface Read {
  /** Changes when the release is replaced. */
  stamp: string;
  release: Release;
}

export class AgentRelease {
  readonly #directory: string | undefined;
  readonly #log: Logger;
  #last: Read | undefined;
  /** The stamp of files that are no release, as logged last. */
  #refused = '';

  constructor(directory: string | undefined, log: Logger) {
    this.#directory = directory;
    this.#log = log;
  }

  /** The release; undefined if there is none, if it is incomplete, or if its list is not signed with the key beside it. */
  async find(): Promise<Release | undefined> {
    const directory = this.#directory;
    if (directory === undefined) return undefined;
    const stamp = await stampOf(directory);
    if (stamp === undefined) return undefined;
    if (this.#last?.stamp === stamp) return this.#last.release;
    try {
      // The files may be being replaced: what cannot be used is read again.
      const release = await readRelease(directory);
      this.#last = { stamp, release };
      return release;
    } catch (error) {
      if (this.#refused !== stamp)
        this.#log.error({ directory, err: error }, 'the release of the agent cannot be served');
      this.#refused = stamp;
      return undefined;
    }
  }
}

/** Undefined while a file is missing. */
async function stampOf(directory: string): Promise<string | undefined> {
  const found = await Promise.all(
    signedListNames.map((name) => stat(join(directory, name)).catch(() => undefined)),
  );
  const stamps = found.flatMap((file) =>
    file === undefined ? [] : [`${file.ino} ${file.mtimeMs} ${file.size}`],
  );
  return stamps.length < signedListNames.length ? undefined : stamps.join(' ');
}

async function readRelease(directory: string): Promise<Release> {
  const [list = '', signature = '', keyPem = ''] = await Promise.all(
    signedListNames.map((name) => readFile(join(directory, name), 'utf8')),
  );
  const key = createPublicKey(keyPem);
  if (!isSigned(list, signature, key)) throw new Error('release.json is not signed with release-key.pem');
  const parsed: unknown = JSON.parse(list);
  if (!isList(parsed)) throw new Error('release.json is not the list of a release');
  const { version, commit, files } = parsed;
  const spki = key.export({ type: 'spki', format: 'pem' }) as string;
  return { version, commit, files, keyPem: spki, directory };
}

const isSigned = (list: string, signature: string, key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ed25519' &&
  verify(null, Buffer.from(list), key, Buffer.from(signature, 'base64'));

// Holds the key pair that identifies this agent to the bus; the seed never leaves the state directory.
import { readFile } from 'node:fs/promises';
import { isMissing, SettingError } from './errors.ts';
import { replaceDurably } from './state-files/durable-file.ts';
import { createUserKey, nkeyOf, type UserKey } from '../../shared/nkeys.ts';

export class Identity {
  readonly #seedFile: string;
  #key: UserKey;

  private constructor(seedFile: string, key: UserKey) {
    this.#seedFile = seedFile;
    this.#key = key;
  }

  static async load(seedFile: string): Promise<Identity> {
    return new Identity(seedFile, (await storedKey(seedFile)) ?? (await makeKey(seedFile)));
  }

  get publicKey(): string {
    return this.#key.publicKey;
  }

  get seed(): Uint8Array {
    return this.#key.seed;
  }

  /** Returns a token that proves the possession of the key to the platform, which takes it for a few minutes. */
  signedToken(nowMs: number): string {
    const claims = `${this.publicKey}.${Math.floor(nowMs / 1000)}`;
    return `${claims}.${this.sign(`gantry-agent.${claims}`)}`;
  }

  /** Returns the signature of a text in base64url. */
  sign(text: string): string {
    return nkeyOf(this.seed).sign(new TextEncoder().encode(text)).toString('base64url');
  }

  /** Replaces the key permanently. */
  async renew(): Promise<void> {
    this.#key = await makeKey(this.#seedFile);
  }
}

async function storedKey(seedFile: string): Promise<UserKey | null> {
  const stored = await readFile(seedFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (stored === null) return null;
  const seed = new TextEncoder().encode(stored.trim());
  try {
    return { publicKey: nkeyOf(seed).publicKey, seed };
  } catch {
    throw new SettingError(`${seedFile} holds no nkey seed; delete the file to make a new key`);
  }
}

async function makeKey(seedFile: string): Promise<UserKey> {
  const key = createUserKey();
  await replaceDurably(seedFile, new TextDecoder().decode(key.seed));
  return key;
}

// Holds the key pair that identifies this agent to the bus; the seed never leaves the state directory.
import { readFile } from 'node:fs/promises';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { isMissing, SettingError } from './errors.ts';
import { replaceDurably } from './state-files/durable-file.ts';

interface Key {
  publicKey: string;
  seed: Uint8Array;
}

export class Identity {
  readonly #seedFile: string;
  #key: Key;

  private constructor(seedFile: string, key: Key) {
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
    const signature = fromSeed(this.seed).sign(new TextEncoder().encode(text));
    return Buffer.from(signature).toString('base64url');
  }

  /** Replaces the key permanently. */
  async renew(): Promise<void> {
    this.#key = await makeKey(this.#seedFile);
  }
}

async function storedKey(seedFile: string): Promise<Key | null> {
  const stored = await readFile(seedFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (stored === null) return null;
  const seed = new TextEncoder().encode(stored.trim());
  try {
    return { publicKey: fromSeed(seed).getPublicKey(), seed };
  } catch {
    throw new SettingError(`${seedFile} holds no nkey seed; delete the file to make a new key`);
  }
}

async function makeKey(seedFile: string): Promise<Key> {
  const pair = createUser();
  const seed = pair.getSeed();
  await replaceDurably(seedFile, new TextDecoder().decode(seed));
  return { publicKey: pair.getPublicKey(), seed };
}

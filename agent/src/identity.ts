// Holds the key pair by which the bus knows this agent; the seed never leaves the state directory.
import { readFile } from 'node:fs/promises';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { isMissing } from './system-error.ts';
import { replaceDurably } from './files/durable-file.ts';
import { SettingError } from './setting-error.ts';

export interface Identity {
  publicKey: string;
  seed: Uint8Array;
}

export async function loadIdentity(seedFile: string): Promise<Identity> {
  const stored = await readFile(seedFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (stored === null) {
    const pair = createUser();
    const seed = pair.getSeed();
    await replaceDurably(seedFile, new TextDecoder().decode(seed));
    return { publicKey: pair.getPublicKey(), seed };
  }
  const seed = new TextEncoder().encode(stored.trim());
  try {
    return { publicKey: fromSeed(seed).getPublicKey(), seed };
  } catch {
    throw new SettingError(`${seedFile} holds no nkey seed; delete the file to make a new key`);
  }
}

// The list of a release's executables, and its signature.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import manifest from '../../agent/package.json' with { type: 'json' };
import type { BuiltFile } from './executable.ts';

/** Reads the Ed25519 key (PKCS #8, PEM) that signs releases. The first build makes it. */
export async function openReleaseKey(path: string): Promise<KeyObject> {
  const found = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined) {
    const key = createPrivateKey(found);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is not an Ed25519 key`);
    return key;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return privateKey;
}

/**
 * Writes `release.json` with version, commit and checksums, `release.json.sig` with the Ed25519 signature of its bytes in
 * Base64, and `release-key.pem` with the public key (SPKI).
 */
export async function writeRelease(
  directory: string,
  {
    commit,
    files,
    version = manifest.version,
  }: { commit: string; files: readonly BuiltFile[]; version?: string },
  key: KeyObject,
): Promise<void> {
  const release = { version, commit, node: process.versions.node, files };
  const bytes = Buffer.from(`${JSON.stringify(release, null, 2)}\n`);
  await writeFile(join(directory, 'release.json'), bytes);
  await writeFile(join(directory, 'release.json.sig'), `${sign(null, bytes, key).toString('base64')}\n`);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  await writeFile(join(directory, 'release-key.pem'), publicKey);
}

// Checks the list of a release of the agent against its Ed25519 signature.
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingError } from '../errors.ts';

/** `signature` is Base64, `keyPem` the public key as PEM. */
export function isSignedRelease(list: Buffer, signature: string, keyPem: string): boolean {
  const key = createPublicKey(keyPem);
  return key.asymmetricKeyType === 'ed25519' && verify(null, list, key, Buffer.from(signature, 'base64'));
}

/** `gantry-agent verify-release DIRECTORY`, for machines without a program that can check it. */
export async function verifyFromCommandLine([directory = '.']: string[]): Promise<void> {
  const [list, signature, key] = await Promise.all(
    ['release.json', 'release.json.sig', 'release-key.pem'].map((name) => readFile(join(directory, name))),
  );
  if (list === undefined || !isSignedRelease(list, String(signature), String(key)))
    throw new SettingError(`${join(directory, 'release.json')} is not signed with release-key.pem`);
  process.stdout.write('the signature is right\n');
}

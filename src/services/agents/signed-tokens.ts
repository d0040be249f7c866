// Checks the tokens that enrolled hosts sign with their own nkeys.
import { isSignedByUser } from '../../../shared/nkeys.ts';

/** How far the time of a token may be from the platform's. */
const maxSkewSeconds = 5 * 60;

/**
 * Returns the public key that signed the token; undefined if the token is malformed, too old, or not signed by that key.
 * A token that is sent again gains nothing: the credentials of a session are useless without the seed of the key.
 */
export function signerOf(token: string, nowMs: number): string | undefined {
  const parts = /^(U[A-Z2-7]{55})\.(\d{1,12})\.([A-Za-z0-9_-]{86})$/.exec(token);
  if (parts === null) return undefined;
  const [, publicKey = '', time = '', signature = ''] = parts;
  if (Math.abs(nowMs / 1000 - Number(time)) > maxSkewSeconds) return undefined;
  const signed = new TextEncoder().encode(`gantry-agent.${publicKey}.${time}`);
  return isSignedByUser(publicKey, signed, Buffer.from(signature, 'base64url')) ? publicKey : undefined;
}

/** Whether the signature (base64url) of the text is by the holder of that nkey. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (!/^[A-Za-z0-9_-]{86}$/.test(signature)) return false;
  return isSignedByUser(publicKey, new TextEncoder().encode(text), Buffer.from(signature, 'base64url'));
}

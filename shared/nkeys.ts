// Keys of NATS with Node's own signatures: the library's JavaScript takes up to fifteen milliseconds for each.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { createUser, Prefix } from '@nats-io/nkeys';
import { Codec } from '@nats-io/nkeys/lib/codec.js';
import type { Authenticator } from '@nats-io/transport-node';

/** What precedes the 32 bytes of an Ed25519 key in its standard forms (RFC 8410). */
const privateKeyStart = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyStart = Buffer.from('302a300506032b6570032100', 'hex');

export interface Nkey {
  publicKey: string;
  sign: (data: Uint8Array) => Buffer;
}

/** The key of a seed; throws if it is not one. */
export function nkeyOf(seed: Uint8Array): Nkey {
  const { prefix, buf: bytes } = Codec.decodeSeed(seed);
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateKeyStart, bytes]),
    format: 'der',
    type: 'pkcs8',
  });
  const point = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey: new TextDecoder().decode(Codec.encode(prefix, point)),
    sign: (data) => sign(null, data, privateKey),
  };
}

/** Whether the holder of that user's public key signed the data; false if the key is not valid. */
export function isSignedByUser(publicKey: string, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    const point = Codec.decode(Prefix.User, new TextEncoder().encode(publicKey));
    const key = createPublicKey({
      key: Buffer.concat([publicKeyStart, point]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, data, key, signature);
  } catch {
    return false;
  }
}

export interface UserKey {
  publicKey: string;
  seed: Uint8Array;
}

export function createUserKey(): UserKey {
  const seed = createUser().getSeed();
  return { publicKey: nkeyOf(seed).publicKey, seed };
}

/** Proves the possession of the key to a server. Functions are called at each connection. */
export function authenticatorOf(
  jwt: string | (() => string),
  seed: Uint8Array | (() => Uint8Array),
): Authenticator {
  return (challenge = '') => {
    const { publicKey, sign } = nkeyOf(typeof seed === 'function' ? seed() : seed);
    return {
      jwt: typeof jwt === 'function' ? jwt() : jwt,
      nkey: publicKey,
      sig: sign(Buffer.from(challenge)).toString('base64'),
    };
  };
}

// Stands in for `tweetnacl` under jest: the same Ed25519 by Node itself, because JavaScript's takes most of a second
// for each signature inside jest's VM. The broker that checks the signatures is the real one either way.
const { createPrivateKey, createPublicKey, randomBytes, sign, verify } = require('node:crypto');

const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHead = Buffer.from('302a300506032b6570032100', 'hex');

const privateKeyOf = (seed) =>
  createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (bytes) =>
  createPublicKey({ key: Buffer.concat([publicHead, bytes]), format: 'der', type: 'spki' });

function fromSeed(seed) {
  const encoded = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(encoded.subarray(publicHead.length));
  return { publicKey, secretKey: new Uint8Array([...seed, ...publicKey]) };
}

const detached = (message, secretKey) =>
  new Uint8Array(sign(null, message, privateKeyOf(secretKey.subarray(0, 32))));

detached.verify = (message, signature, publicKey) => verify(null, message, publicKeyOf(publicKey), signature);

module.exports = {
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  sign: { keyPair: { fromSeed }, detached },
};

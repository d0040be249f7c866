// Keys with Node's signatures are those of the library.
import fc from 'fast-check';
import { createAccount, createPair, createUser, fromPublic, fromSeed, Prefix } from '@nats-io/nkeys';
import { createUserKey, isSignedByUser, nkeyOf } from '../../shared/nkeys.ts';

const data = fc.uint8Array({ maxLength: 200 });

it.each([Prefix.User, Prefix.Account, Prefix.Operator])('have the same public key, kind %d', (prefix) => {
  const pair = createPair(prefix);
  expect(nkeyOf(pair.getSeed()).publicKey).toBe(pair.getPublicKey());
});

it('sign and verify like the library', () => {
  const pair = createUser();
  const { publicKey, sign } = nkeyOf(pair.getSeed());
  fc.assert(
    fc.property(data, (bytes) => {
      expect([...sign(bytes)]).toEqual([...pair.sign(bytes)]);
      expect(isSignedByUser(publicKey, bytes, pair.sign(bytes))).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it('refuse other data, other keys, other kinds and text that is no key', () => {
  const { publicKey, seed } = createUserKey();
  const bytes = Buffer.from('a message');
  const signature = fromSeed(seed).sign(bytes);
  expect(fromPublic(publicKey).verify(bytes, signature)).toBe(true);
  expect(isSignedByUser(publicKey, Buffer.from('another'), signature)).toBe(false);
  expect(isSignedByUser(publicKey, bytes, signature.subarray(1))).toBe(false);
  expect(isSignedByUser(createUserKey().publicKey, bytes, signature)).toBe(false);
  expect(isSignedByUser(createAccount().getPublicKey(), bytes, signature)).toBe(false);
  const flipped = publicKey.slice(0, -1) + (publicKey.endsWith('A') ? 'B' : 'A');
  for (const text of ['', 'U', flipped, publicKey.toLowerCase()])
    expect([text, isSignedByUser(text, bytes, signature)]).toEqual([text, false]);
});

it('are not made of a text that is no seed', () => {
  const seed = new TextDecoder().decode(createUserKey().seed);
  for (const text of ['', seed.slice(1), `${seed.slice(0, -1)}!`, createUserKey().publicKey])
    expect(() => nkeyOf(new TextEncoder().encode(text))).toThrow();
});

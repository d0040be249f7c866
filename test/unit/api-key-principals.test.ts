// The cache of API keys: nothing from before a change, and nothing longer than the key is valid.
import { pino } from 'pino';
import type { PlatformScope } from '../../src/database/platform-scope.ts';
import type { AccessChange, AccessChanges } from '../../src/services/auth/access-changes.ts';
import { ApiKeyPrincipals } from '../../src/services/auth/api-key-principals.ts';
import { parseNetwork } from '../../src/network/ip-networks.ts';
import { createApiKey, hashSecret } from '../../src/secrets/random-secrets.ts';

const log = pino({ level: 'silent' });
const source = '192.0.2.1';
const { identifier, key } = createApiKey();

/** A key as the database has it, with these changes. */
const keyWith = (changes: object = {}) => ({
  principal: { kind: 'api_key', identifier, actor: { id: 'the key' }, license: { id: 'the license' } },
  secretHash: hashSecret(key),
  creatorId: 'the creator',
  networks: null,
  expiresAtMs: Infinity,
  notedAtMs: Date.now(),
  ...changes,
});

/** Principals whose every database read waits for the test. */
function createPrincipals() {
  const reads: PromiseWithResolvers<unknown>[] = [];
  const platform = {
    read: () => {
      const read = Promise.withResolvers<unknown>();
      reads.push(read);
      return read.promise;
    },
  } as unknown as PlatformScope;
  const listeners: ((change: AccessChange) => void)[] = [];
  const changes = { on: (listener: (change: AccessChange) => void) => listeners.push(listener) };
  const principals = new ApiKeyPrincipals(platform, changes as unknown as AccessChanges, log);
  const announce = (change: AccessChange) => listeners.forEach((listener) => listener(change));
  return { principals, reads, announce };
}

it.each([
  ['of the key', { api_key_id: 'the key' }],
  ['of its creator', { user_id: 'the creator' }],
  ['of its license', { license_id: 'the license' }],
])(
  'a result read before a change %s is not cached, though the read ends after it',
  async (_whose, change) => {
    const { principals, reads, announce } = createPrincipals();
    const early = principals.find(key, source);
    announce(change);
    reads[0]?.resolve(keyWith());
    await early;
    const late = principals.find(key, source);
    expect(reads).toHaveLength(2);
    reads[1]?.reject(new Error('the key is revoked'));
    await expect(late).rejects.toThrow('revoked');
  },
);

it.each([
  ['has expired', { expiresAtMs: Date.now() }, 'unauthorized'],
  ['may not be used from there', { networks: [parseNetwork('198.51.100.0/24')] }, 'address_not_allowed'],
])('rejects a request when its key %s meanwhile', async (_what, changes, code) => {
  const { principals, reads, announce } = createPrincipals();
  const first = principals.find(key, source);
  reads[0]?.resolve(keyWith());
  const principal = await first;
  announce({ api_key_id: 'the key' });
  const again = principals.findAgain(principal, source);
  reads[1]?.resolve(keyWith(changes));
  await expect(again).rejects.toMatchObject({ code });
});

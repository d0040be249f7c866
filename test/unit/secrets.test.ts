// Secrets that are shown once, and license keys.
import {
  createApiKey,
  createLicenseKey,
  createSecret,
  hashSecret,
  identifierOf,
  isHashOf,
} from '../../src/secrets/random-secrets.ts';

describe('createSecret', () => {
  it('has 256 random bits after its prefix, and is valid in a header or a query', () => {
    const secrets = Array.from({ length: 1_000 }, () => createSecret('gantry_test_'));
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) {
      expect(secret).toMatch(/^gantry_test_[\w-]{43}$/);
      expect(Buffer.from(secret.slice('gantry_test_'.length), 'base64url')).toHaveLength(32);
    }
  });
});

describe('hashSecret', () => {
  it('is the SHA-256 of the secret, which must not change between releases', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('createLicenseKey', () => {
  const keys = Array.from({ length: 2_000 }, createLicenseKey);

  it('is five groups of five unambiguous letters and digits', () => {
    for (const key of keys) expect(key).toMatch(/^GNTRY(-[0-9A-Z]{5}){5}$/);
    const used = new Set(keys.flatMap((key) => [...key.slice(6).replaceAll('-', '')]));
    expect([...used].toSorted().join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  it('differs each time, in every position', () => {
    expect(new Set(keys).size).toBe(keys.length);
    for (let place = 6; place < 35; place += 1) {
      if ((place - 5) % 6 === 0) continue;
      expect(new Set(keys.map((key) => key[place])).size).toBe(32);
    }
  });
});

describe('API keys', () => {
  it('have an identifier and a secret of 256 bits, without underscores, and are unique', () => {
    const keys = Array.from({ length: 1_000 }, () => createApiKey());
    for (const { identifier, key } of keys) {
      expect(key).toMatch(/^gantry_[a-z2-7]{16}_[a-z2-7]{52}$/);
      expect(identifierOf(key)).toBe(identifier);
    }
    expect(new Set(keys.map(({ identifier }) => identifier)).size).toBe(1_000);
    const secrets = keys.map(({ key }) => key.split('_')[2] ?? '');
    expect(new Set(secrets).size).toBe(1_000);
    for (const place of [0, 25, 50]) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(32);
    }
  });

  it('are recognised by their form', () => {
    const { key } = createApiKey();
    for (const text of [
      '',
      key.slice(1),
      `${key}a`,
      key.toUpperCase(),
      `${key}\n`,
      createSecret('gantry_refresh_'),
    ]) {
      expect(identifierOf(text)).toBeUndefined();
    }
  });

  it('are compared by their hash: only the whole key matches', () => {
    const [one, other] = [createApiKey().key, createApiKey().key];
    expect(isHashOf(hashSecret(one), one)).toBe(true);
    for (const hash of [hashSecret(other), '', 'x', hashSecret(one).slice(2), `${hashSecret(one)}00`]) {
      expect(isHashOf(hash, one)).toBe(false);
    }
  });
});

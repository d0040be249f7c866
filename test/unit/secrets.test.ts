// Secrets that are handed out once, and the keys of licenses.
import { createLicenseKey, createSecret, hashSecret } from '../../src/services/secrets.ts';

describe('createSecret', () => {
  it('has 256 bits of chance behind its prefix, and can stand in a header or a query', () => {
    const secrets = Array.from({ length: 1_000 }, () => createSecret('gantry_test_'));
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) {
      expect(secret).toMatch(/^gantry_test_[\w-]{43}$/);
      expect(Buffer.from(secret.slice('gantry_test_'.length), 'base64url')).toHaveLength(32);
    }
  });
});

describe('hashSecret', () => {
  it('is the SHA-256 of the secret, so that it stays the same from release to release', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('createLicenseKey', () => {
  const keys = Array.from({ length: 2_000 }, createLicenseKey);

  it('is five groups of five, of letters and digits that nobody mistakes for each other', () => {
    for (const key of keys) expect(key).toMatch(/^GNTRY(-[0-9A-Z]{5}){5}$/);
    const used = new Set(keys.flatMap((key) => [...key.slice(6).replaceAll('-', '')]));
    expect([...used].toSorted().join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  it('is different each time, in every place', () => {
    expect(new Set(keys).size).toBe(keys.length);
    for (let place = 6; place < 35; place += 1) {
      if ((place - 5) % 6 === 0) continue;
      expect(new Set(keys.map((key) => key[place])).size).toBe(32);
    }
  });
});

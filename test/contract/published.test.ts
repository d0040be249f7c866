// The published contract: small, compressed, cached, and without the server's own extensions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { root } from '../support/contract.ts';
import { rawBytes } from '../support/http.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const get = (path: string, headers: Record<string, string> = {}) => rawBytes(world.url, path, headers);

describe.each(['/api/openapi.json', '/api/openapi-3.0.json'])('%s', (path) => {
  it('is compressed as the client accepts it, and is the same document', async () => {
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding, inflate] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const { bytes, headers } = await get(path, { 'accept-encoding': accepted });
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(bytes.byteLength),
        'cache-control': 'public, max-age=60',
      });
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(bytes.byteLength).toBeLessThan(260_000);
      expect(inflate(bytes).equals(plain.bytes)).toBe(true);
    }
    for (const accepted of ['identity', 'deflate', 'gzip;q=0, br;q=0', '*;q=0'])
      expect((await get(path, { 'accept-encoding': accepted })).headers['content-encoding']).toBeUndefined();
  });

  it('is minified, and costs nothing when requested again', async () => {
    const { bytes } = await get(path);
    expect(bytes.toString()).toBe(JSON.stringify(JSON.parse(bytes.toString())));
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { headers } = await get(path, { 'accept-encoding': accepted });
      const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': headers['etag'] ?? '' });
      expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
    }
  });

  it('has no extensions but those that generators read', async () => {
    const { bytes } = await get(path);
    const names = new Set([...bytes.toString().matchAll(/"(x-[A-Za-z-]+)":/g)].map(([, name]) => name));
    const [, policy = ''] = readFileSync(join(root, 'docs/api-policy.md'), 'utf8').split('## For generators');
    const documented = [...policy.matchAll(/`(x-[A-Za-z-]+)`/g)].map(([, name]) => name);
    expect([...names].sort()).toEqual([...new Set(documented)].sort());
  });
});

it('the document of one operation is the published form, and complete', async () => {
  const get = async (path: string) =>
    (await (await fetch(`${world.url}${path}`)).json()) as {
      paths: Record<string, Record<string, { responses: object }>>;
      components: { schemas: Record<string, object> };
    };
  const [whole, one] = [
    await get('/api/openapi.json'),
    await get('/api/docs/operations/createWebhook.openapi.json'),
  ];
  const path = '/api/webhooks';
  expect(one.paths[path]?.['post']?.responses).toEqual(whole.paths[path]?.['post']?.responses);
  expect(Object.keys(one.components.schemas)).toContain('CreatedWebhook');
  expect(whole.components.schemas).toMatchObject(one.components.schemas);
  expect(JSON.stringify(one.components.schemas['CreatedWebhook'])).not.toContain('additionalProperties');
});

it('shared pages are compressed', async () => {
  for (const path of ['/status', '/early-access', '/api/docs', '/api/docs/assets/scalar/standalone.esm.js'])
    expect([path, (await get(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']]).toEqual([
      path,
      'gzip',
    ]);
});

it('private responses are never compressed: they may hold a secret beside foreign input', async () => {
  const { owner } = await world.createTenant();
  for (const path of ['/auth/me', '/api/permissions', '/api/license', '/api/audit', '/api/players']) {
    const { headers } = await get(path, {
      authorization: `Bearer ${owner.token}`,
      'accept-encoding': 'gzip, br',
    });
    expect([path, headers['content-encoding']]).toEqual([path, undefined]);
  }
});

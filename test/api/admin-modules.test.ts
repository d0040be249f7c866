// Operations of super admins on the module catalogue.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { root } from '../support/contract.ts';
import { World } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;

beforeAll(async () => {
  world = await World.create({
    roles: ['api'],
    outbound: { allow: [], allowsHttp: false, resolve: addressesOf },
  });
});

afterAll(async () => {
  await world.close();
});

const addresses: Readonly<Record<string, string[]>> = {
  'downloads.example.com': ['93.184.215.14'],
  localhost: ['127.0.0.1'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  'half.example.com': ['93.184.215.14', '10.0.0.1'],
};

async function addressesOf(name: string): Promise<string[]> {
  const found = addresses[name];
  if (found === undefined) throw new Error(`ENOTFOUND ${name}`);
  return found;
}

const path = '/api/admin/modules';

let number = 0;

function newModule(values: object = {}): Schemas['CatalogModuleCreate'] {
  number += 1;
  return {
    slug: `module-${number}`,
    name: 'Loot manager',
    description: 'Edits what containers hold.',
    price: { amount: '9.99', currency: 'USD' },
    features: ['Loot tables', 'Multipliers'],
    plugin: 'LootManager',
    download: {
      url: 'https://downloads.example.com/LootManager.cs',
      sha256: '0'.repeat(64),
      bytes: 81_920,
    },
    is_listed: true,
    ...values,
  };
}

const create = (input: object) => world.call('post', path, world.admin).send(input);

it('starts with one module, whose plugin ships with the platform', async () => {
  const { body } = await world.call('get', path, world.admin).expect(200);
  const [seeded] = (body as Schemas['CatalogModulePage']).data;
  const source = readFileSync(resolve(root, 'game-plugins/GantryEvents.cs'));
  expect(seeded).toMatchObject({
    slug: 'player-insights',
    price: { amount: '4.99', currency: 'USD' },
    plugin: 'GantryEvents',
    is_listed: true,
    download: {
      url: `${world.url}/api/plugin/download`,
      sha256: createHash('sha256').update(source).digest('hex'),
      bytes: source.length,
    },
  });
  const { text, headers } = await world.call('get', '/api/plugin/download').expect(200);
  expect(text).toBe(source.toString());
  expect(headers['content-disposition']).toContain('GantryEvents.cs');
});

it('POST returns 201 with every given field, and 409 for a taken slug', async () => {
  const input = newModule({ price: { amount: '0.07', currency: 'EUR' } });
  const { body, headers } = await create(input).expect(201);
  expect(body).toEqual({
    ...input,
    billing_period: 'once',
    trial_days: 0,
    yearly_amount: null,
    id: expect.any(String),
    purchase_count: 0,
    created_at: expect.any(String),
  });
  expect(headers['etag']).toBe('"1"');
  expect((await create(input).expect(409)).body.code).toBe('name_taken');
});

it('POST returns 400 for an invalid address, price, checksum or size', async () => {
  const download = newModule().download;
  const wrong: [object, string][] = [
    [{ download: { ...download, url: 'http://downloads.example.com/a.cs' } }, '/download/url'],
    [{ download: { ...download, url: 'file:///etc/passwd' } }, '/download/url'],
    [{ download: { ...download, url: 'https://169.254.169.254/latest/meta-data' } }, '/download/url'],
    [{ download: { ...download, url: 'https://10.0.0.1/a.cs' } }, '/download/url'],
    [{ download: { ...download, url: 'https://[fd00::1]/a.cs' } }, '/download/url'],
    [{ download: { ...download, url: 'https://user:pass@downloads.example.com/a.cs' } }, '/download/url'],
    ...[
      'localhost',
      'metadata.google.internal',
      'files.local',
      'files.LOCAL.',
      'intranet',
      'nas.home.arpa',
      '127.0.0.1.nip.example.com',
      'half.example.com',
    ].map((name): [object, string] => [
      { download: { ...download, url: `https://${name}/a.cs` } },
      '/download/url',
    ]),
    [{ download: { ...download, sha256: 'x' } }, '/download/sha256'],
    [{ download: { ...download, bytes: 0 } }, '/download/bytes'],
    [{ download: { ...download, bytes: 5_000_000 } }, '/download/bytes'],
    [{ price: { amount: '-1.00', currency: 'USD' } }, '/price/amount'],
    [{ price: { amount: '1.999', currency: 'USD' } }, '/price/amount'],
    [{ plugin: '../Kits' }, '/plugin'],
  ];
  for (const [values, pointer] of wrong) {
    const { body } = await create(newModule(values)).expect(400);
    expect(body.errors[0]).toMatchObject({ in: 'body', pointer });
  }
});

it('PATCH returns 200 with the given changes, 412 for an outdated version and 404 for an unknown module', async () => {
  const { body: made } = await create(newModule()).expect(201);
  const update = (ifMatch: string, id: string = made.id) =>
    world
      .call('patch', `${path}/${id}`, world.admin)
      .set('If-Match', ifMatch)
      .send({ price: { amount: '7.99', currency: 'USD' }, is_listed: false });
  const { body, headers } = await update('"1"').expect(200);
  expect(body).toEqual({ ...made, price: { amount: '7.99', currency: 'USD' }, is_listed: false });
  expect(headers['etag']).toBe('"2"');
  expect((await update('"1"').expect(412)).body.code).toBe('stale_version');
  await update('"1"', '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6fff').expect(404);
  await world.call('get', `${path}/${made.id}`, world.admin).expect(200, body);
});

it('accepts a public host name that does not resolve yet: agents resolve it when they download', async () => {
  const { download } = newModule();
  const url = 'https://not-yet.example.com/LootManager.cs';
  const { body } = await create(newModule({ download: { ...download, url } })).expect(201);
  expect(body).toMatchObject({ download: { url } });
});

it('PATCH returns 400 for changing to a name that resolves to a private network', async () => {
  const { body } = await create(newModule()).expect(201);
  const { id, download } = body as Schemas['CatalogModule'];
  const url = 'https://127.0.0.1.nip.example.com/a.cs';
  await world
    .call('patch', `${path}/${id}`, world.admin)
    .send({ download: { ...download, url } })
    .expect(400);
});

// The collections for Postman and Bruno: complete, and sendable as they are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { brunoCollection } from '../../shared/collections/bruno.ts';
import { postmanCollection } from '../../shared/collections/postman.ts';
import { operations, root } from '../support/contract.ts';
import { createKeyWithText } from '../support/rows.ts';
import { World } from '../support/world.ts';

const document = JSON.parse(
  readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8'),
) as Record<string, unknown>;

interface Entry {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    header: Entry[];
    url: { raw: string; path: string[]; query?: Entry[]; variable: Entry[] };
    body?: { mode: string; raw?: string };
  };
}

const { item: items } = postmanCollection(document) as { item: Item[] };

const requestsIn = (list: Item[]): NonNullable<Item['request']>[] =>
  list.flatMap(({ item = [], request }) => [
    ...(request === undefined ? [] : [request]),
    ...requestsIn(item),
  ]);

const requests = requestsIn(items);
const bruno = brunoCollection(document);

it('hold every operation once', () => {
  const expected = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort();
  const inPostman = requests.map(
    ({ method, url }) => `${method} /${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`,
  );
  const texts = [...bruno]
    .filter(([name]) => name.endsWith('.bru') && !name.startsWith('environments/'))
    .map(([, text]) => text);
  const inBruno = texts.map((text) => {
    const [, method = '', path = ''] =
      /^(get|post|put|patch|delete) \{\n {2}url: \{\{baseUrl\}\}(\S+)$/m.exec(text) ?? [];
    return `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
  });
  expect(inPostman.sort()).toEqual(expected);
  expect(inBruno.sort()).toEqual(expected);
});

it('have JSON bodies that parse, and no secrets', () => {
  for (const { body } of requests)
    if (body?.mode === 'raw') expect(() => JSON.parse(body.raw ?? '') as unknown).not.toThrow();
  for (const [name, text] of bruno)
    for (const [, json = ''] of text.matchAll(/^body:json \{\n([\s\S]*?)^\}$/gm))
      expect({ name, isObject: typeof JSON.parse(json) }).toEqual({ name, isObject: 'object' });
  const credentials = requests.flatMap(({ header }) =>
    header.filter(({ key }) => /^(X-Api-Key|Authorization|X-License-Key)$/.test(key)),
  );
  for (const { value, disabled } of credentials)
    expect(disabled === true || /\{\{\w+\}\}$/.test(value)).toBe(true);
});

it('have reads that the platform accepts unchanged', async () => {
  const world = await World.create({ roles: ['api'] });
  try {
    await checkServed(world.url);
    const tenant = await world.createTenant();
    const values: Record<string, string> = {
      baseUrl: world.url,
      apiKey: (await createKeyWithText(world, tenant)).key,
      token: tenant.owner.token,
    };
    const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
    const reads = requests.filter(
      ({ method, url }) => method === 'GET' && !url.path.some((segment) => segment.startsWith(':')),
    );
    expect(reads.length).toBeGreaterThan(50);
    const refused: string[] = [];
    for (const { url, header } of reads) {
      const query = new URLSearchParams(
        url.query
          ?.filter(({ disabled }) => disabled !== true)
          .map(({ key, value }): [string, string] => [key, value]),
      );
      const headers = header
        .filter(({ disabled }) => disabled !== true)
        .map(({ key, value }): [string, string] => [key, filled(value)]);
      const response = await fetch(`${filled(url.raw)}?${query.toString()}`, {
        headers,
        signal: AbortSignal.timeout(60_000),
      });
      await response.body?.cancel();
      if (response.status === 400) refused.push(url.raw);
    }
    expect(refused).toEqual([]);
  } finally {
    await world.close();
  }
});

/** The platform serves both, with its own address. */
async function checkServed(url: string): Promise<void> {
  const postman = await fetch(`${url}/api/collections/postman.json`);
  expect(postman.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const served = (await postman.json()) as { variable: Entry[]; item: Item[] };
  expect(served.variable[0]).toMatchObject({ key: 'baseUrl', value: url });
  expect(served.item).toEqual(items);
  const archive = await fetch(`${url}/api/collections/bruno.zip`);
  expect(archive.headers.get('content-type')).toBe('application/zip');
  const files = await filesOf(Buffer.from(await archive.arrayBuffer()));
  expect([...files.keys()].sort()).toEqual([...bruno.keys()].map((name) => `gantry/${name}`).sort());
  expect(files.get('gantry/environments/platform.bru')).toContain(`baseUrl: ${url}`);
}

async function filesOf(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}

// Deprecated operations, on a platform whose contract has two: who still uses them, and what is said about them.
import { pino } from 'pino';
import type { components } from '../../generated/platform.d.ts';
import type { Document } from '../../src/contract/document.ts';
import { handlers } from '../../src/handlers/index.ts';
import { contract } from '../support/contract.ts';
import { createKeyWithText } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Detail = components['schemas']['ApiKeyDetail'];

const logged: string[] = [];
let world: World;
let tenant: Tenant;

beforeAll(async () => {
  const document = structuredClone(contract) as unknown as Document;
  const days = { deprecated: true, 'x-deprecated-on': '2026-11-01', 'x-sunset': '2027-11-01' };
  for (const [path, successor] of [
    ['/api/fleet/clusters', { 'x-successor': 'listInstances' }],
    ['/api/fleet/hosts', {}],
  ] as const)
    Object.assign((document.paths[path] as { get: object }).get, days, successor);
  world = await World.create({
    roles: ['api'],
    contract: { document, handlers: { ...handlers } },
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
  });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const call = (key: string, path: string) => fetch(`${world.url}${path}`, { headers: { 'X-Api-Key': key } });

async function detailOf(id: string): Promise<Detail> {
  const { body } = await world.call('get', `/api/api-keys/${id}`, tenant.owner).expect(200);
  return body as Detail;
}

/** The counts by operation, once they add up to so many calls. */
const countsOf = (id: string, calls: number) =>
  until(async () => {
    const { deprecated_uses: uses } = await detailOf(id);
    const sum = uses.reduce((total, { count }) => total + count, 0);
    return sum === calls ? uses.map(({ operation, count }) => [operation, count]) : undefined;
  }, `${calls} calls`);

it('is counted by key and operation, in batches that add up', async () => {
  const used = await createKeyWithText(world, tenant);
  const other = await createKeyWithText(world, tenant);
  await Promise.all(Array.from({ length: 5 }, () => call(used.key, '/api/fleet/clusters')));
  await call(used.key, '/api/fleet/instances');
  expect(await countsOf(used.id, 5)).toEqual([['listClusters', 5]]);
  await call(used.key, '/api/fleet/clusters');
  await call(used.key, '/api/fleet/hosts');
  expect(await countsOf(used.id, 7)).toEqual([
    ['listHosts', 1],
    ['listClusters', 6],
  ]);
  const [latest] = (await detailOf(used.id)).deprecated_uses;
  expect(Math.abs(Date.parse(latest?.last_used_at ?? '') - Date.now())).toBeLessThan(60_000);
  expect((await detailOf(other.id)).deprecated_uses).toEqual([]);
});

it('survives a failure to write it', async () => {
  const { id, key } = await createKeyWithText(world, tenant);
  await world.database.query('alter table api_key_deprecated_use rename to elsewhere');
  await call(key, '/api/fleet/clusters');
  await until(
    async () => logged.some((line) => line.includes('could not be recorded')) || undefined,
    'a failure',
  );
  await world.database.query('alter table elsewhere rename to api_key_deprecated_use');
  expect(await countsOf(id, 1)).toEqual([['listClusters', 1]]);
});

describe('callers learn since when, until when and what to use instead', () => {
  const textOf = async (path: string) => (await fetch(`${world.url}${path}`)).text();
  const notices: [string, string, string][] = [
    [
      'listClusters',
      '/api/fleet/clusters',
      'Use [List instances](/api/docs/operations/listInstances) instead: `GET /api/fleet/instances`.',
    ],
    ['listHosts', '/api/fleet/hosts', 'The [changelog](/api/changelog) says what to use instead.'],
  ];

  it.each(notices)('of %s from its page and llms.txt', async (id, path, instead) => {
    const notice = `**Deprecated** since 2026-11-01. It works at least until 2027-11-01. ${instead}`;
    expect(await textOf(`/api/docs/operations/${id}.md`)).toContain(notice);
    const page = await textOf(`/api/docs/operations/${id}`);
    expect(page).toContain('<strong>Deprecated</strong> since 2026-11-01.');
    expect(await textOf('/llms.txt')).toContain(`/api/docs/operations/${id}.md): GET ${path} (deprecated)`);
    expect(await textOf('/api/docs/operations/listInstances.md')).not.toContain('Deprecated');
  });

  it('from the headers of each response, refusals included', async () => {
    const { key } = await createKeyWithText(world, tenant);
    for (const { headers } of [
      await call(key, '/api/fleet/clusters'),
      await call('', '/api/fleet/clusters'),
    ]) {
      expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 1) / 1_000}`);
      expect(headers.get('sunset')).toBe('Mon, 01 Nov 2027 00:00:00 GMT');
      expect(headers.get('link')).toContain('</api/docs/operations/listInstances>; rel="successor-version"');
    }
    const { headers } = await call(key, '/api/fleet/hosts');
    expect(headers.get('link')).not.toContain('successor-version');
  });
});

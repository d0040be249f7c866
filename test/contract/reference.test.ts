// The reference without a browser: pages, texts, problems, documents and the search, all from the contract.
import MiniSearch from 'minisearch';
import { parse } from 'yaml';
import { problems } from '../../src/platform-contract/problems.ts';
import { problems as managerProblems } from '../../local-manager/src/problems.ts';
import { createEngine, findPages } from '../../src/contract/reference/find-pages.ts';
import type { SearchDocument } from '../../src/contract/reference/search-documents.ts';
import { contract, operations } from '../support/contract.ts';
import { rawBytes } from '../support/http.ts';
import { follow, type Schema } from '../support/schemas.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

async function get(path: string, headers: Record<string, string> = {}) {
  const { status, headers: given, bytes } = await rawBytes(world.url, path, headers);
  return { status, headers: given, text: bytes.toString() };
}

const getJson = async <Found>(path: string) =>
  JSON.parse((await get(path, { accept: 'application/json' })).text) as Found;

/** The words in which a page states the limits of a schema. */
function statedLimits(given: Schema): string[] {
  const schema = follow(given, contract.components.schemas);
  const range = (min: number | undefined, max: number | undefined, unit: string) =>
    min === undefined && max === undefined
      ? []
      : [
          `, ${max === undefined ? 'at least ' : min === undefined ? 'at most ' : ''}${[...new Set([min, max])].filter((bound) => bound !== undefined).join(' to ')}${unit}`,
        ];
  return [
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...(schema.default === undefined ? [] : [`, default \`${JSON.stringify(schema.default)}\``]),
    ...(schema.enum ?? []).map((value) => `\`${String(value)}\``),
    ...(schema.allOf ?? []).flatMap(statedLimits),
  ];
}

describe('problem codes', () => {
  it.each([
    ['platform', problems],
    ['local manager', managerProblems],
  ])('of the %s have a cause and a remedy in whole sentences', (_name, { kinds }) => {
    const wrong = Object.entries(kinds).filter(([, { cause, remedy }]) =>
      [cause, remedy].some((text) => !/^[A-Z`].{14,}\.$/.test(text)),
    );
    expect(wrong.map(([code]) => code)).toEqual([]);
  });

  it('resolve: each type is a page and JSON with cause, remedy and operations', async () => {
    for (const [code, { title, status, cause, remedy }] of Object.entries(problems.kinds)) {
      const type = `/problems/${code}`;
      const found = await getJson<{ operations: { operation_id: string; url: string }[] }>(type);
      expect(found).toMatchObject({ type, code, title, status, cause, remedy });
      const declaring = operations.filter(({ problemCodes = [] }) => problemCodes.includes(code));
      expect(found.operations.map(({ operation_id }) => operation_id)).toEqual(
        expect.arrayContaining(declaring.map(({ id }) => id)),
      );
      const page = await get(type, { accept: 'text/html' });
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain(`${status}`);
    }
  });

  it('are listed at /problems', async () => {
    const { data } = await getJson<{ data: { code: string }[] }>('/problems');
    expect(data.map(({ code }) => code)).toEqual(Object.keys(problems.kinds).toSorted());
    const { text } = await get('/problems', { accept: 'text/html' });
    for (const { code } of data) expect(text).toContain(`href="/problems/${code}"`);
  });

  it('are JSON for a program that asks with their own media type', async () => {
    const { text, headers } = await get('/problems/not_found', { accept: 'application/problem+json' });
    expect(headers['content-type']).toMatch('application/json');
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found' });
  });

  it('that are unknown are not found, in either form', async () => {
    for (const accept of ['text/html', 'application/json'])
      for (const code of ['nothing', '__proto__', 'constructor', '%3Cscript%3E']) {
        const { status, headers } = await get(`/problems/${code}`, { accept });
        const type = accept === 'text/html' ? 'text/html; charset=utf-8' : 'application/problem+json';
        expect([status, headers['content-type']]).toEqual([404, type]);
      }
  });

  it('are Markdown for language models', async () => {
    const { text, headers } = await get('/problems/not_found.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text).toContain('# ');
    expect((await get('/problems.md')).text).toContain('(/problems/not_found)');
    expect((await get('/problems/nothing.md')).status).toBe(404);
  });

  it('and pages that do not exist lead on, without a word of the request', async () => {
    for (const path of ['/problems/x-marker', '/api/docs/operations/x-marker', '/api/docs/x-marker/y']) {
      const { status, text } = await get(path, { accept: 'text/html' });
      expect(status).toBe(404);
      expect(text).toContain('href="/problems"');
      expect(text).not.toContain('x-marker');
    }
  });
});

describe('documents', () => {
  const paths = [
    '/api/openapi',
    '/api/openapi-3.0',
    '/api/asyncapi/agent-bus',
    '/api/asyncapi/console',
    '/api/asyncapi/local-manager-events',
  ];

  it.each(paths)(
    '%s is the same in JSON and YAML, compressed, with an ETag, readable elsewhere',
    async (path) => {
      const json = await get(`${path}.json`);
      const yaml = await get(`${path}.yaml`);
      expect([json.headers['content-type'], yaml.headers['content-type']]).toEqual([
        'application/json; charset=utf-8',
        'application/yaml',
      ]);
      expect(parse(yaml.text, { maxAliasCount: 0 })).toEqual(JSON.parse(json.text));
      for (const format of ['json', 'yaml']) {
        const { headers } = await get(`${path}.${format}`, { 'accept-encoding': 'br' });
        expect(headers).toMatchObject({ 'content-encoding': 'br', 'access-control-allow-origin': '*' });
        const again = await get(`${path}.${format}`, { 'if-none-match': String(headers['etag']) });
        expect(again.status).toBe(304);
      }
    },
  );

  it('name this server, its contact and the guides by absolute addresses', async () => {
    for (const path of ['/api/openapi.json', '/api/openapi-3.0.json'])
      expect(await getJson(path)).toMatchObject({
        servers: [{ url: world.url }],
        info: { contact: { url: `${world.url}/api/docs` } },
        externalDocs: { url: `${world.url}/api/docs` },
      });
  });
});

describe('pages', () => {
  it('show an operation with its parameters, bodies, problems and an example', async () => {
    const { text } = await get('/api/docs/operations/createCluster.md');
    for (const part of [
      '`POST /api/fleet/clusters`',
      '`clusters.manage`',
      '`Idempotency-Key` — header',
      '`description` — string or null, at most 500 characters.',
      '/problems/name_taken',
      `curl -X POST '${world.url}/api/fleet/clusters'`,
      '"EU islands"',
    ])
      expect(text).toContain(part);
  });

  it('state what the schema of each parameter limits', async () => {
    const missing: string[] = [];
    let count = 0;
    for (const { id, parameters } of operations) {
      if (parameters.length === 0) continue;
      const { text } = await get(`/api/docs/operations/${id}.md`);
      const [, section = ''] = /^## Parameters\n([^]*?)(?=^## )/m.exec(text) ?? [];
      for (const { name, in: place, schema } of parameters) {
        const line = section.split('\n').find((text) => text.startsWith(`- \`${name}\` — ${place}, `)) ?? '';
        const expected = statedLimits(schema);
        count += expected.length;
        missing.push(
          ...expected.filter((part) => !line.includes(part)).map((part) => `${id} ${name}: ${part}`),
        );
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(500);
    const page = await get('/api/docs/operations/listInstances', { accept: 'text/html' });
    expect(page.text).toMatch(/<code>limit<\/code> — query, integer, 1 to 100, default <code>25<\/code>/);
  });

  it('show raw HTML of texts as text, and run only scripts of this server', async () => {
    for (const path of [
      '/api/docs',
      '/api/docs/operations/createCluster',
      '/api/docs/guides/errors',
      '/problems',
    ]) {
      const { text, headers } = await get(path);
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self'/,
      );
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    }
  });

  it('are 404 problems when there is no such page', async () => {
    for (const path of ['operations', 'guides', 'areas', 'try', 'messages', 'assets', 'assets/scalar/chunks'])
      for (const name of ['nothing', '__proto__', '..%2F..%2Fpackage.json', 'rooms.md', 'nothing.md']) {
        const { status, headers } = await get(`/api/docs/${path}/${name}`);
        expect([path, name, status, headers['content-type']]).toEqual([
          path,
          name,
          404,
          'application/problem+json',
        ]);
      }
  });
});

it('guides in Markdown link to pages of this server only', async () => {
  const { text } = await get('/api/docs/guides/tools.md');
  expect(text).toContain('[event stream](/api/docs/guides/events.md)');
  for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) expect(target).toMatch(/^(\/|https?:)/);
});

it('no text of the contract names a file of the repository', async () => {
  const { text } = await get('/api/openapi.json');
  expect(text.match(/\b(?:docs|openapi|src)\/[\w./-]+\.(?:md|yaml|ts)\b/g)).toBeNull();
});

describe('tools around the contract', () => {
  it('are named by the overview and by llms.txt', async () => {
    const [overview, list] = [(await get('/api/docs')).text, (await get('/llms.txt')).text];
    for (const name of ['SDKs', 'Command line', 'MCP server', 'Postman', 'Bruno', 'Workflows']) {
      expect(overview).toContain(`>${name}`);
      expect(list).toContain(`- [${name}`);
    }
    expect(overview).toContain('/api/docs/guides/tools#mcp-server');
    expect(list).toContain('/api/docs/guides/tools.md#mcp-server');
  });

  it('have workflows that name the contract of this server', async () => {
    expect(await getJson('/api/arazzo.json')).toMatchObject({
      arazzo: '1.0.1',
      sourceDescriptions: [{ name: 'platform', url: `${world.url}/api/openapi.json`, type: 'openapi' }],
    });
  });
});

describe('/llms.txt', () => {
  it('has the form of llmstxt.org, and lists every operation once', async () => {
    const { text, headers } = await get('/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# .+\n\n> .+\n\n/);
    const lines = text.split('\n').filter((line) => line.startsWith('- '));
    for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(http:\/\/[^)\s]+\)(?:: .+)?$/);
    for (const { id } of operations)
      expect(lines.filter((line) => line.includes(`/operations/${id}.md)`))).toHaveLength(1);
  });
});

describe('the search', () => {
  let documents: SearchDocument[] | undefined;

  it.each([
    ['restart server', 'restartInstance'],
    ['reboot', 'restartInstance'],
    ['start server', 'startInstance'],
    ['stop server', 'stopInstance'],
    ['delete server', 'deleteInstance'],
    ['create server', 'createInstance'],
    ['list servers', 'listInstances'],
    ['server metrics', 'getInstanceMetricsSeries'],
    ['cpu usage', 'getInstanceMetricsSeries'],
    ['sign in', 'signIn'],
    ['login', 'signIn'],
    ['log in', 'signIn'],
    ['logout', 'signOut'],
    ['who am i', 'getCurrentUser'],
    ['2fa', 'setUpTotp'],
    ['two factor', 'enableTotp'],
    ['forgot password', 'requestPasswordReset'],
    ['reset password', 'resetPassword'],
    ['api token', 'createApiKey'],
    ['create api key', 'createApiKey'],
    ['rotate key', 'rotateLicenseKey'],
    ['ban player', 'banPlayer'],
    ['unban', 'unbanPlayer'],
    ['kick', 'kickPlayer'],
    ['who is online', 'listOnlinePlayers'],
    ['online players', 'listOnlinePlayers'],
    ['chat message', 'messagePlayer'],
    ['invite a teammate', 'inviteMember'],
    ['create role', 'createRole'],
    ['audit log', 'listAuditEntries'],
    ['rcon command', 'runConsoleCommand'],
    ['send console command', 'runConsoleCommand'],
    ['read log', 'createConsoleTicket'],
    ['wipe', 'wipeInstance'],
    ['wipe map', 'wipeInstance'],
    ['cron', 'listSchedules'],
    ['schedule restart', 'createSchedule'],
    ['backup', 'createBackup'],
    ['create backup', 'createBackup'],
    ['restor backup', 'restoreBackup'],
    ['upload map', 'uploadMap'],
    ['edit file', 'writeFile'],
    ['download file', 'downloadFile'],
    ['install plugin', 'installPlugin'],
    ['plugin config', 'listPluginConfigs'],
    ['discord notification', 'createNotificationChannel'],
    ['webhook', 'createWebhook'],
    ['replay webhook', 'resendWebhookDelivery'],
    ['list orders', 'listStoreOrders'],
    ['add item to shop', 'createStoreItem'],
    ['provision', 'provisionLicenses'],
    ['suspend license', 'updateProvisionedLicense'],
    ['create license', 'createLicense'],
    ['invoice', 'getResellerBill'],
    ['sandbox', 'createSandbox'],
    ['move clock', 'advanceSandboxClock'],
    ['status page', 'getPublicStatus'],
    ['server status', 'getInstance'],
    ['rcon', 'runConsoleCommand'],
    ['test mode', 'createSandbox'],
    ['time travel', 'advanceSandboxClock'],
    ['sell vip', 'createStoreItem'],
    ['edit server.cfg', 'writeFile'],
    ['paypal', 'listPaymentProviders'],
    ['who deleted', 'listAuditEntries'],
    ['edit kits', 'updatePluginConfig'],
  ])('finds for "%s" %s among the first three', async (typed, id) => {
    documents ??= await getJson<SearchDocument[]>('/api/docs/search.json');
    const found = findPages(createEngine(MiniSearch, documents), typed);
    expect(found.slice(0, 3).map((page) => page.id)).toContain(`/api/docs/operations/${id}`);
  });

  it.each([
    ['login', 'signIn'],
    ['checkout', 'placeOrder'],
    ['gdpr', 'exportLicenseData'],
  ])('finds for "%s", which names a whole title, %s first', async (typed, id) => {
    documents ??= await getJson<SearchDocument[]>('/api/docs/search.json');
    const [first] = findPages(createEngine(MiniSearch, documents), typed);
    expect(first?.id).toBe(`/api/docs/operations/${id}`);
  });

  it('finds for "cursor" the guide to pagination', async () => {
    documents ??= await getJson<SearchDocument[]>('/api/docs/search.json');
    const found = findPages(createEngine(MiniSearch, documents), 'cursor');
    expect(found.slice(0, 3).map((page) => page.id)).toContain('/api/docs/guides/pagination');
  });

  it('has every operation, guide and problem', async () => {
    documents ??= await getJson<SearchDocument[]>('/api/docs/search.json');
    const ids = new Set(documents.map(({ id }) => id));
    expect(operations.filter(({ id }) => !ids.has(`/api/docs/operations/${id}`))).toEqual([]);
    expect([...ids]).toEqual(expect.arrayContaining(['/api/docs/guides/webhooks', '/problems/rate_limited']));
  });
});

it('the description of the contract addresses operators, programs, resellers and receivers of webhooks', async () => {
  const { info } = await getJson<{ info: { description: string } }>('/api/openapi.json');
  for (const words of ['POST /api/admin/licenses', 'X-Api-Key', 'host key', 'POST /api/webhooks'])
    expect(info.description).toContain(words);
});

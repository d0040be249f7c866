// Bad input of every kind gets a valid problem, never a 500, and leaves the server healthy.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { someId } from '../support/contract.ts';
import { rawRequest, type RawRequest, type RawResponse } from '../support/http.ts';
import { expectProblem } from '../support/problems.ts';
import { World, type Tenant } from '../support/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const send = (path: string, request: RawRequest = {}) =>
  rawRequest(world.url, path, {
    ...request,
    headers: { authorization: `Bearer ${tenant.owner.token}`, ...request.headers },
  });

const sendJson = (path: string, body: string, method = 'POST') =>
  send(path, { method, body, headers: { 'content-type': 'application/json' } });

/** What the server sends until it closes the connection. */
async function received(sent: string): Promise<string> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write(sent);
  return text(socket);
}

const clusters = '/api/fleet/clusters';
const asAdmin = () => ({ authorization: `Bearer ${world.admin.token}` });

describe('a problem', () => {
  const kinds: [string, number, string, () => Promise<RawResponse>][] = [
    ['an unknown query parameter', 400, 'validation_failed', () => send(`${clusters}?a=1`)],
    ['a parameter that breaks its schema', 400, 'validation_failed', () => send(`${clusters}?limit=0`)],
    ['a field that is missing', 400, 'validation_failed', () => sendJson(clusters, '{}')],
    ['a body that is not JSON', 400, 'malformed_body', () => sendJson(clusters, '{')],
    ['no credentials', 401, 'unauthorized', () => rawRequest(world.url, clusters)],
    [
      'wrong credentials',
      401,
      'invalid_credentials',
      () => sendJson('/auth/login', '{"email":"a@b.cc","password":"x"}'),
    ],
    [
      'a worn out refresh token',
      401,
      'invalid_refresh_token',
      () => sendJson('/auth/refresh', `{"refresh_token":"${'x'.repeat(40)}"}`),
    ],
    ['something for super admins', 403, 'forbidden', () => send('/api/admin/licenses')],
    ['a user without a license', 403, 'license_required', () => send(clusters, { headers: asAdmin() })],
    ['a path that is none', 404, 'not_found', () => send('/nothing/here')],
    ['a row that is none', 404, 'not_found', () => send(`${clusters}/${someId}`)],
    [
      'a method that the path does not take',
      405,
      'method_not_allowed',
      () => send(clusters, { method: 'DELETE' }),
    ],
    [
      'a body that is too large',
      413,
      'payload_too_large',
      () => sendJson(clusters, `{"name":"${'x'.repeat(1 << 20)}"}`),
    ],
    [
      'another media type',
      415,
      'unsupported_media_type',
      () => send(clusters, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'an installation that is set up',
      409,
      'already_set_up',
      () =>
        sendJson(
          '/auth/bootstrap',
          `{"setup_token":"${'x'.repeat(40)}","email":"a@b.cc","password":"long enough for this"}`,
        ),
    ],
  ];

  it.each(kinds)('for %s is %i %s, and matches the contract', async (_kind, status, code, request) => {
    expectProblem(await request(), { status, code });
  });

  it('names the path of the request, never its query', async () => {
    const { body } = await send(`${clusters}?secret=1`);
    expect(body).toMatchObject({ instance: clusters });
    expect(JSON.stringify(body)).not.toContain('secret=1');
  });

  it('points at an error of the request', async () => {
    const { body } = await send('/api/fleet/instances?state=flying');
    expect(body).toMatchObject({
      errors: [{ in: 'query', pointer: '/state', detail: expect.stringContaining('one of') }],
    });
    expect((await sendJson(clusters, '{"name":""}')).body).toMatchObject({
      errors: [{ in: 'body', pointer: '/name' }],
    });
    expect((await sendJson(clusters, '{}')).body).toMatchObject({
      errors: [{ in: 'body', pointer: '/name' }],
    });
  });

  it('does not grow with the request', async () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1])),
    );
    const response = await sendJson(clusters, body);
    expectProblem(response, { status: 400, code: 'validation_failed' });
    expect(response.text.length).toBeLessThan(16_384);
  });

  it('carries WWW-Authenticate on a 401', async () => {
    const { headers } = await rawRequest(world.url, clusters);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });
});

describe('X-Request-Id', () => {
  it('is the one that the caller sent, when it has the right form', async () => {
    const id = randomUUID();
    const { headers, body } = await send('/nothing', { headers: { 'x-request-id': id } });
    expect([headers['x-request-id'], (body as { request_id: string }).request_id]).toEqual([id, id]);
  });

  it('is a new one otherwise', async () => {
    for (const given of ['x', 'x'.repeat(65), 'an id with spaces', '"><script>', '%0d%0aSet-Cookie: a=b']) {
      const { headers } = await send('/nothing', { headers: { 'x-request-id': given } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('is on successful responses too', async () => {
    expect((await send(clusters)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send('/healthz')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('methods', () => {
  it('that a path does not support return 405 with Allow', async () => {
    const response = await send(clusters, { method: 'DELETE' });
    expectProblem(response, { status: 405, code: 'method_not_allowed' });
    expect(response.headers.allow?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it.each(['PROPFIND', 'TRACE', 'M-SEARCH'])(
    'that no path supports return 405 with Allow, and 404 for an unknown path: %s',
    async (method) => {
      const response = await send(clusters, { method });
      expectProblem(response, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.allow?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
      expectProblem(await send('/nothing/here', { method }), { status: 404, code: 'not_found' });
    },
  );

  it('that HTTP does not know return 400', async () => {
    expect(await received(`FLY ${clusters} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400 [^]*"code":"malformed_request"/,
    );
  });

  it('return 400 without Host, which HTTP/1.0 does not require', async () => {
    expect(await received('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*"code":"malformed_request"/,
    );
    expect(await received('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('include HEAD, which returns what GET does, without the body', async () => {
    const get = await send(clusters);
    const head = await send(clusters, { method: 'HEAD' });
    expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  });
});

describe('paths', () => {
  it.each([
    '/%',
    '/%E0%A4%A',
    '/api/fleet/%zz',
    '/api/fleet/instances/%',
    '/api/fleet/instances/%c0%af',
    `/api/commands/${someId}%`,
    '/status/%',
    '/store/%E0%A4%A',
    '/problems/%E0%A4%A',
    '/api/docs/operations/%',
    '/api/docs/assets/%ff',
  ])('returns 400 or 404 for the malformed percent-encoding of %s', async (path) => {
    const response = await send(path);
    const { status } = response;
    expect([400, 404]).toContain(status);
    expectProblem(response, { status, code: status === 400 ? 'validation_failed' : 'not_found' });
  });

  it.each([
    '//api/fleet/hosts',
    '/api//fleet/hosts',
    '/API/fleet/hosts',
    '/api/fleet/hosts/../hosts',
    '/api/fleet;x=1/hosts',
    '/api/fleet/hosts%2f',
    '/__proto__',
    '/constructor',
    '/api/fleet/hosts%00',
  ])('returns 404 for %s, which only resembles an existing path', async (path) => {
    expectProblem(await send(path), { status: 404, code: 'not_found' });
  });

  it('returns 404 for a path that ends in a slash or has an empty part', async () => {
    for (const path of [
      '/api/fleet/hosts/',
      '/api/fleet/hosts//instance-templates',
      `/api/fleet/hosts/${someId}/`,
      '/api/fleet/',
      '/healthz/x',
    ])
      expectProblem(await send(path), { status: 404, code: 'not_found' });
  });

  it('rejects a request line of more than 16 KiB and serves the next request', async () => {
    expectProblem(await send(`/${'x'.repeat(20_000)}`), { status: 431, code: 'headers_too_large' });
    expectProblem(await send(`/${'x'.repeat(10_000)}`), { status: 404, code: 'not_found' });
    expectProblem(await send(`${clusters}/${'x'.repeat(10_000)}`), {
      status: 400,
      code: 'validation_failed',
    });
    expect((await send(clusters)).status).toBe(200);
  });

  it('rejects a header of more than 16 KiB and serves the next request', async () => {
    const refused = await send(clusters, { headers: { 'x-padding': 'x'.repeat(20_000) } });
    expectProblem(refused, { status: 431, code: 'headers_too_large' });
    expect((await send(clusters, { headers: { 'x-padding': 'x'.repeat(8_000) } })).status).toBe(200);
  });
});

describe('query parameters', () => {
  it.each([
    ['given twice', 'limit=1&limit=2'],
    ['given twice the same', 'limit=1&limit=1'],
    ['as an array', 'limit[]=1'],
    ['as an object', 'limit[a]=1'],
    ['empty', 'limit='],
    ['no number', 'limit=ten'],
    ['no whole number', 'limit=1.5'],
    ['too large', 'limit=101'],
    ['far too large', 'limit=1e309'],
    ['negative', 'limit=-1'],
    ['with text behind it', 'limit=10abc'],
    ['in another case', 'Limit=10'],
    ['named __proto__', '__proto__=1'],
    ['named __proto__ with a field', '__proto__[limit]=1'],
    ['named constructor', 'constructor=1'],
    ['named hasOwnProperty', 'hasOwnProperty=1'],
    ['with NUL', 'cursor=a%00b'],
    ['with a malformed escape', 'cursor=%zz'],
    ['with half a character', 'cursor=%ed%a0%80'],
    ['without a name', '=1'],
    ['a cursor of another list', 'cursor=bm8'],
    ['a cursor that is too long', `cursor=${'x'.repeat(501)}`],
  ])('returns 400 when %s', async (_what, query) => {
    expectProblem(await send(`/api/fleet/instances?${query}`), { status: 400, code: 'validation_failed' });
  });

  it('returns 400 for NUL where any text is allowed', async () => {
    const response = await send('/api/admin/licenses?q=a%00b', { headers: asAdmin() });
    expectProblem(response, { status: 400, code: 'validation_failed' });
  });

  it('returns 200 for text that only looks dangerous', async () => {
    for (const text of ['%25', '_', '\\', "'", '%F0%9F%8E%AE', '%zz', '%ff', "' or 1=1 --"]) {
      const { status, body } = await send(
        `/api/admin/licenses?q=${text.startsWith('%') ? text : encodeURIComponent(text)}`,
        { headers: asAdmin() },
      );
      expect([text, status, body]).toEqual([text, 200, { data: [], next_cursor: null }]);
    }
  });
});

describe('bodies', () => {
  it.each([
    ['NUL in a text', '{"name":"a\\u0000b"}'],
    ['NUL as the name of a field', '{"name":"a","\\u0000":1}'],
    ['half a character', '{"name":"\\ud83d"}'],
    ['the other half', '{"name":"a\\udc00b"}'],
    ['halves in the wrong order', '{"name":"\\udc00\\ud83d"}'],
    ['__proto__ as a field', '{"name":"a","__proto__":{"x":1}}'],
    ['__proto__ alone', '{"__proto__":{"name":"a"}}'],
    ['constructor as a field', '{"name":"a","constructor":{"prototype":{"x":1}}}'],
    ['another type', '{"name":1}'],
    ['an array', '["name"]'],
    ['null for a field', '{"name":null}'],
    ['an empty text', '{"name":""}'],
    ['a text that is too long', `{"name":"${'x'.repeat(101)}"}`],
  ])('returns 400 for %s', async (_what, body) => {
    expectProblem(await sendJson(clusters, body), { status: 400, code: 'validation_failed' });
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it('returns 201 for every text that can be stored', async () => {
    for (const name of [
      '🎮',
      '\u202eright to left',
      '  ',
      '\\u0000',
      '\u0001',
      '"\'; drop table x',
      '${7*7}{{7*7}}',
      'x'.repeat(100),
    ]) {
      const text = JSON.stringify({ name: randomUUID(), description: name });
      const { status, body } = await sendJson(clusters, text);
      expect([status, body]).toMatchObject([201, { description: name }]);
    }
  });

  it.each([
    ['arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['arrays within a field', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['objects that repeat the field', '{"name":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ])('returns 400 for 10,000 nested %s', async (_what, body) => {
    expectProblem(await sendJson(clusters, body), { status: 400, code: 'validation_failed' });
  });

  it('returns 400 for arrays nested too deeply to parse', async () => {
    const { status } = await sendJson(clusters, '['.repeat(500_000) + ']'.repeat(500_000));
    expect(status).toBe(400);
  });

  it.each(['gzip', 'br', 'deflate', 'nonsense', 'identity, gzip'])(
    'returns 415 for a body compressed with %s: nothing is decompressed',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const body = gzipSync(JSON.stringify({ name: 'packed' }));
      expectProblem(await send(clusters, { method: 'POST', body, headers }), {
        status: 415,
        code: 'unsupported_media_type',
        detail: 'Send the body as it is, without Content-Encoding.',
      });
    },
  );

  it('returns 201 for a body with Content-Encoding identity', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
    const body = '{"name":"plain"}';
    expect((await send(clusters, { method: 'POST', body, headers })).status).toBe(201);
  });

  it.each([
    '{"name":"one","name":"two"}',
    '{"name":"one","n\\u0061me":"two"}',
    '{"name":"one","other":{"a":1,"b":[{"c":1,"c":1}]}}',
    '{"__proto__":1,"name":"x","__proto__":2}',
  ])('returns 400 for a repeated field in one object: %s', async (body) => {
    const headers = { 'content-type': 'application/json' };
    expectProblem(await send(clusters, { method: 'POST', body, headers }), {
      status: 400,
      code: 'malformed_body',
      detail: 'An object of the body has the same field twice.',
    });
  });

  it('returns 201 for colons, commas and brackets within texts, and escapes of every kind', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'a:[{"b":1,\\"}],\\\\' });
    expect((await send(clusters, { method: 'POST', body, headers })).status).toBe(201);
  });

  it.each(['0x10', '1e1', '010', '+5', '%205', '5%20', '5.0', '0b1', 'Infinity', '%D9%A1'])(
    'returns 400 for limit=%s, which is not a JSON integer',
    async (text) => {
      const { status, body } = await send(`${clusters}?limit=${text}`);
      expect([status, body]).toMatchObject([
        400,
        { code: 'validation_failed', errors: [{ in: 'query', pointer: '/limit' }] },
      ]);
    },
  );

  it('returns 400 for text that is not UTF-8', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from('{"name":"caf\u00e9"}', 'latin1');
    expectProblem(await send(clusters, { method: 'POST', body, headers }), {
      status: 400,
      code: 'malformed_body',
    });
  });

  it('returns 400 for bytes that are not text', async () => {
    const body = Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x00, 0x80, 0x22, 0x7d]);
    expectProblem(
      await send(clusters, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      { status: 400, code: 'malformed_body' },
    );
  });

  it('ignores a body sent to an operation without one', async () => {
    const { status } = await send(clusters, {
      method: 'GET',
      body: '{',
      headers: { 'content-type': 'nonsense', 'content-length': 1 },
    });
    expect(status).toBe(200);
  });

  it('a request that is interrupted affects no other', async () => {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST ${clusters} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.owner.token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
    );
    expect((await send(clusters)).status).toBe(200);
    socket.destroy();
    expect((await send(clusters)).status).toBe(200);
  });
});

describe('content types', () => {
  it('returns 200 for JSON with parameters and in any case', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;x=y',
      ' application/json ',
    ]) {
      const { status } = await send(clusters, {
        method: 'POST',
        body: `{"name":"${randomUUID()}"}`,
        headers: { 'content-type': type },
      });
      expect([type, status]).toEqual([type, 201]);
    }
  });

  it('that callers invent use no memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const sendAs = (type: string) =>
      send(clusters, { method: 'POST', body: '{}', headers: { 'content-type': type } });
    const round = async (name: string) => {
      for (let index = 0; index < 250; index += 5) {
        const batch = Array.from({ length: 5 }, (_, offset) => `${name}${index + offset}`);
        await Promise.all(
          batch.flatMap((item) => [
            sendAs(`application/json; x=${item}`),
            sendAs(`application/${item}+json`),
          ]),
        );
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await round('a');
    const after = await round('b');
    expect((after - before) / 500).toBeLessThan(4_096);
  });
});

describe('every response', () => {
  it('has security headers, and does not reveal the server software', async () => {
    for (const path of ['/', '/healthz', clusters, '/api/docs', '/nothing']) {
      const { headers } = await send(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.any(String),
      });
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

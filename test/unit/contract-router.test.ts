// The router with a contract of its own: declared problems, a problem table of its own, and required scheme
// handlers.
import { Readable } from 'node:stream';
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { operationsOf, type Document } from '../../src/contract/document.ts';
import type { RequestOf } from '../../src/contract/operation.ts';
import type { ProblemTable } from '../../src/contract/problem.ts';
import { Versioned } from '../../src/contract/replies.ts';
import { Download, SharedReply, Table } from '../../src/results/results.ts';
import { createContractRouter } from '../../src/contract/router.ts';
import { DomainError } from '../../src/errors.ts';
import { problems } from '../../src/platform-contract/problems.ts';

const json = { 'application/json': { schema: {} } };
const ok = { '200': { description: 'ok', content: { ...json, 'text/csv': { schema: { type: 'string' } } } } };
const common = { tags: ['toys'], security: [], responses: ok, 'x-problem-codes': ['not_found'] };
const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
const body = { required: true, content: json };

const document = {
  openapi: '3.1.0',
  info: { title: 'Toy', version: '1.0.0' },
  paths: {
    '/toy': {
      get: {
        ...common,
        operationId: 'getToy',
        parameters: [
          header('Prefer'),
          { name: 'format', in: 'query', schema: { type: 'string', enum: ['json', 'csv'] } },
        ],
      },
      patch: { ...common, operationId: 'updateToy', parameters: [header('If-Match')], requestBody: body },
    },
    '/old': {
      get: {
        ...common,
        operationId: 'listOld',
        deprecated: true,
        'x-deprecated-on': '2027-01-01',
        'x-sunset': '2028-01-01',
        'x-successor': 'getToy',
      },
    },
    '/exact': {
      get: {
        ...common,
        operationId: 'getExact',
        responses: {
          '200': {
            description: 'ok',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { secret: { writeOnly: true } } },
              },
            },
          },
        },
      },
    },
    '/signed': {
      post: {
        ...common,
        operationId: 'createSigned',
        requestBody: body,
        'x-raw-body': true,
        'x-body-limit': 5000,
      },
    },
  },
  components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
} as unknown as Document;

type ToyHandler = (ctx: null, request: RequestOf<unknown>) => Promise<unknown>;

interface ToyOptions {
  /** Handles every operation. */
  handle: ToyHandler;
  validateReplies?: boolean;
  problemTable?: ProblemTable;
  onDeprecatedUse?: (operation: { id: string }) => void;
  confirm?: () => Promise<void>;
  document?: Document;
}

function toyRouter({
  handle,
  confirm,
  validateReplies = true,
  problemTable = problems,
  ...options
}: ToyOptions) {
  return createContractRouter<null, null>({
    document,
    handlers: { getToy: handle, getExact: handle, listOld: handle, updateToy: handle, createSigned: handle },
    problems: problemTable,
    security: {
      schemes: { bearerAuth: async () => null },
      authorize: () => undefined,
      anonymous: null,
      ...(confirm !== undefined && { confirm }),
    },
    createContext: () => null,
    run: (_ctx, _operation, work) => work(),
    idempotency: undefined,
    limits: undefined,
    validateReplies,
    bodyLimit: 1000,
    ...options,
    log: pino({ level: 'silent' }),
  });
}

function toyApp(options: ToyOptions) {
  const { serve, refuse } = toyRouter(options);
  return request(express().use(serve, refuse));
}

const throwing = (code: 'not_found' | 'name_taken' | 'payload_too_large') => async () => {
  throw new DomainError(code, 'because');
};

describe('a problem', () => {
  it('that the operation declares is returned', async () => {
    const { body: problem } = await toyApp({ handle: throwing('not_found') })
      .get('/toy')
      .expect(404);
    expect(problem).toMatchObject({ code: 'not_found', detail: 'because' });
  });

  it('common to all operations need not be declared', async () => {
    await toyApp({ handle: throwing('payload_too_large') })
      .get('/toy')
      .expect(413);
  });

  it('that it does not declare is an internal error while replies are checked, and returned otherwise', async () => {
    const { body: problem } = await toyApp({ handle: throwing('name_taken') })
      .get('/toy')
      .expect(500);
    expect(problem).toMatchObject({ code: 'internal' });
    await toyApp({ handle: throwing('name_taken'), validateReplies: false })
      .get('/toy')
      .expect(409);
  });

  it('names the request as its contract says', async () => {
    const problemTable = { ...problems, requestIdField: 'requestId' };
    const { body: problem } = await toyApp({ handle: throwing('not_found'), problemTable }).get('/toy');
    expect(problem).toHaveProperty('requestId');
    expect(problem).not.toHaveProperty('request_id');
  });

  it('has a kind in every table that the router accepts', () => {
    const { internal: _, ...kinds } = problems.kinds;
    expect(() => toyRouter({ handle: throwing('not_found'), problemTable: { ...problems, kinds } })).toThrow(
      'the problem table lacks internal',
    );
  });

  it('never contains the message of a foreign error', async () => {
    for (const status of [400, 404, 413, 418]) {
      const handle = async () => {
        throw Object.assign(new Error('POST https://payments.example/?secret=abc'), { status });
      };
      const { body: problem } = await toyApp({ handle }).get('/toy').expect(500);
      expect(JSON.stringify(problem)).not.toContain('secret');
    }
  });
});

describe('a path', () => {
  const withPage = (handle: ToyHandler) => {
    const { serve, refuse } = toyRouter({ handle });
    const app = express().enable('strict routing').enable('case sensitive routing').use(serve);
    for (const path of ['/toy', '/page']) app.all(path, (_request, response) => void response.send('page'));
    return request(app.use(refuse));
  };
  const handle: ToyHandler = async () => ({ name: 'Toy' });

  it('of the contract is served before any other handler of it', async () => {
    expect((await withPage(handle).get('/toy').expect(200)).body).toEqual({ name: 'Toy' });
    const { headers, body: problem } = await withPage(handle).delete('/toy').expect(405);
    expect([headers['allow'], problem]).toEqual([
      'GET, HEAD, PATCH',
      expect.objectContaining({ code: 'method_not_allowed' }),
    ]);
  });

  it.each(['/page', '/page?a=b'])('of another handler is left to it: %s', async (path) => {
    expect((await withPage(handle).get(path).expect(200)).text).toBe('page');
  });

  it.each(['/', '/toy/', '/TOY', '/toys', '/%74oys', '/%zz'])(
    'without a handler is a problem: %s',
    async (path) => {
      const { body: problem } = await withPage(handle).get(path);
      expect(problem).toMatchObject({ code: 'not_found', status: 404 });
    },
  );
});

describe('a response that breaks the contract', () => {
  it.each([
    ['as it is', {}],
    ['without a body', undefined],
    ['with a value for requests only', { name: 'Toy', secret: 'open sesame' }],
    ['with a version', new Versioned({}, 3)],
    ['for everybody', new SharedReply({}, 60)],
  ])('%s is an internal error while replies are checked', async (_form, reply) => {
    const handle = async () => reply;
    const { body: problem, headers } = await toyApp({ handle }).get('/exact').expect(500);
    expect(problem).toMatchObject({ status: 500, code: 'internal' });
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('etag');
    await toyApp({ handle: async () => ({ name: 'Toy' }) })
      .get('/exact')
      .expect(200);
  });
});

it.each([
  [undefined, 0],
  ['wait=3', 3],
  ['respond-async, wait=3', 3],
  ['wait=99', 10],
  ['wait=-3', 0],
  ['await=3', 0],
  ['handling=lenient; wait=3', 0],
])('Prefer: %s waits %d seconds', async (prefer, seconds) => {
  const handle: ToyHandler = async (_, { waitSeconds }) => ({ waitSeconds });
  const call = toyApp({ handle }).get('/toy');
  const { body: reply } = await (prefer === undefined ? call : call.set('Prefer', prefer)).expect(200);
  expect(reply).toEqual({ waitSeconds: seconds });
});

it.each([
  [undefined, null],
  ['*', null],
  ['"7"', [7]],
  ['"7", "8"', [7, 8]],
  ['"7",W/"8" , "x,y" ,"9"', [7, 9]],
  ['W/"7"', []],
  ['"seven"', []],
  [`"${'a1'.repeat(32)}"`, []],
])('If-Match: %s expects the versions %j', async (ifMatch, version) => {
  const handle: ToyHandler = async (_, { expectedVersions }) => ({ expectedVersions });
  const call = toyApp({ handle }).patch('/toy').send({});
  const { body: reply } = await (ifMatch === undefined ? call : call.set('If-Match', ifMatch)).expect(200);
  expect(reply).toEqual({ expectedVersions: version });
});

describe('a reply', () => {
  it('with a version has an ETag', async () => {
    const { headers, body: reply } = await toyApp({ handle: async () => new Versioned({ a: 1 }, 7) })
      .get('/toy')
      .expect(200);
    expect([headers['etag'], reply]).toEqual(['"7"', { a: 1 }]);
  });

  it('is never cached', async () => {
    const { headers } = await toyApp({ handle: async () => ({}) })
      .get('/toy')
      .expect(200);
    expect(headers['cache-control']).toBe('no-store');
  });

  async function* rows() {
    yield { name: '=HYPERLINK("https://evil.example")', players: 3, isOnline: true, note: null };
    yield { name: 'a "quoted", name\nof two lines', players: -1.5, isOnline: false, note: '@cmd' };
  }
  type Row = { name: string; players: number; isOnline: boolean; note: string | null };
  const table = () =>
    new Table<Row>(
      'toys.csv',
      {
        name: ({ name }) => name,
        players: ({ players }) => players,
        is_online: ({ isOnline }) => isOnline,
        note: ({ note }) => note,
      },
      rows(),
    );

  it.each([
    ['by Accept', (call: request.Test) => call.set('Accept', 'text/csv')],
    ['by format', (call: request.Test) => call.query({ format: 'csv' })],
  ])('is CSV when the caller asks for it, %s, and holds no formulas', async (_, asked) => {
    const handle: ToyHandler = async (_ctx, { wantsCsv }) => (wantsCsv ? table() : {});
    const { headers, text } = await asked(toyApp({ handle }).get('/toy')).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename=toys.csv');
    expect(text).toBe(
      [
        'name,players,is_online,note',
        `"'=HYPERLINK(""https://evil.example"")",3,true,`,
        `"a ""quoted"", name\nof two lines",-1.5,false,'@cmd`,
        '',
      ].join('\n'),
    );
  });

  it('is JSON for a caller that accepts both, and for one that asks for it', async () => {
    const handle: ToyHandler = async (_, { wantsCsv }) => ({ wantsCsv });
    const app = toyApp({ handle });
    for (const accept of ['*/*', 'application/json', 'application/json, text/csv']) {
      expect((await app.get('/toy').set('Accept', accept)).body).toEqual({ wantsCsv: false });
    }
    const { body: reply } = await app.get('/toy?format=json').set('Accept', 'text/csv');
    expect(reply).toEqual({ wantsCsv: false });
  });

  it('can be a stream of unchanged bytes', async () => {
    const handle = async () =>
      new Download(Readable.from([Buffer.from('ab'), Buffer.from('c')]), {
        mediaType: 'application/octet-stream',
        fileName: 'naïve "file".bin',
        size: 3,
      });
    const { headers, body: bytes } = await toyApp({ handle }).get('/toy').expect(200);
    expect(headers['content-length']).toBe('3');
    expect(headers['content-disposition']).toContain("filename*=UTF-8''na%C3%AFve%20%22file%22.bin");
    expect(String(bytes)).toBe('abc');
  });
});

describe('a body', () => {
  const handle: ToyHandler = async (_, { rawBody }) => ({
    raw: rawBody === undefined ? null : Buffer.from(rawBody).toString(),
  });

  it('is kept unchanged where a signature is verified, and only there', async () => {
    const sent = '{ "b":1,  "a":2 }';
    const send = (path: string, method: 'post' | 'patch') =>
      toyApp({ handle })[method](path).set('Content-Type', 'application/json').send(sent).expect(200);
    expect((await send('/signed', 'post')).body).toEqual({ raw: sent });
    expect((await send('/toy', 'patch')).body).toEqual({ raw: null });
  });

  it('may be as large as its operation allows', async () => {
    const large = { text: 'x'.repeat(3000) };
    await toyApp({ handle }).patch('/toy').send(large).expect(413);
    await toyApp({ handle }).post('/signed').send(large).expect(200);
    await toyApp({ handle })
      .post('/signed')
      .send({ text: 'x'.repeat(6000) })
      .expect(413);
  });
});

describe('a deprecated operation', () => {
  const headersOf = async (path: string, handle: ToyHandler) => {
    const used: string[] = [];
    const { headers } = await toyApp({ handle, onDeprecatedUse: ({ id }) => used.push(id) }).get(path);
    const { deprecation, sunset, link } = headers as Record<string, string | undefined>;
    return { deprecation, sunset, link, used };
  };
  const announced = {
    deprecation: `@${Date.UTC(2027, 0, 1) / 1_000}`,
    sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
    link: '</api/changelog>; rel="deprecation"; type="text/html", </api/docs/operations/getToy>; rel="successor-version"; type="text/html"',
    used: ['listOld'],
  };

  it('says so in every response, and its use is reported', async () => {
    expect(await headersOf('/old', async () => ({}))).toEqual(announced);
    expect(await headersOf('/old', throwing('not_found'))).toEqual(announced);
    expect(await headersOf('/toy', async () => ({}))).toEqual({ used: [] });
  });

  it('keeps the link to the next page', async () => {
    const { link } = await headersOf('/old', async () => ({ data: [], next_cursor: 'abc' }));
    expect(link).toBe(`${announced.link}, </old?cursor=abc>; rel="next"`);
  });
});

describe('an operation for revoked licenses', () => {
  const read = (security: object[]) => () =>
    operationsOf({
      ...document,
      paths: { '/toy': { get: { ...common, operationId: 'getToy', security, 'x-allow-revoked': true } } },
    } as never);

  it('requires a permission with any security scheme', () => {
    expect(read([{ bearerAuth: ['toys.view'] }])()).toMatchObject([{ allowsRevoked: true }]);
    for (const security of [[], [{ bearerAuth: [] }], [{ bearerAuth: ['toys.view'] }, { apiKey: [] }]])
      expect(read(security)).toThrow('needs a permission');
  });
});

describe('a shared response', () => {
  /** Returns how often it was called, cacheable for the given time. */
  const counting = (seconds: number) => {
    let asked = 0;
    return async () => {
      asked += 1;
      return new SharedReply({ asked }, seconds);
    };
  };

  it('is returned from the cache while it is fresh, to every caller of the same URL', async () => {
    const toy = toyApp({ handle: counting(60), validateReplies: false });
    const first = await toy.get('/toy').expect(200);
    expect(first.body).toEqual({ asked: 1 });
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '11',
    });
    const again = await toy.get('/toy').expect(200);
    expect([again.body, again.headers['etag']]).toEqual([first.body, first.headers['etag']]);
    await toy.get('/toy').set('If-None-Match', String(first.headers['etag'])).expect(304);
    expect((await toy.head('/toy').expect(200)).headers['content-length']).toBe('11');
    expect((await toy.get('/toy?format=json').expect(200)).body).toEqual({ asked: 2 });
    await toy.get('/toy?format=xml').expect(400);
    expect((await toy.patch('/toy').send({}).expect(200)).body).toEqual({ asked: 3 });
    expect((await toy.get('/toy').expect(200)).body).toEqual({ asked: 1 });
  });

  it.each([true, false])('is compressed whether replies are checked or not: %s', async (validateReplies) => {
    const handle: ToyHandler = async () => new SharedReply({ name: 'Toy '.repeat(1_000) }, 60);
    const toy = toyApp({ handle, validateReplies });
    const sent = await toy.get('/toy').set('Accept-Encoding', 'gzip').expect(200);
    expect(sent.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(Number(sent.headers['content-length'])).toBeLessThan(200);
    expect(sent.body).toEqual({ name: 'Toy '.repeat(1_000) });
    const tag = String(sent.headers['etag']);
    const known = await toy.get('/toy').set({ 'Accept-Encoding': 'gzip', 'If-None-Match': tag }).expect(304);
    expect(known.headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding' });
  });

  it('is requested again once it is not fresh', async () => {
    const toy = toyApp({ handle: counting(0), validateReplies: false });
    expect((await toy.get('/toy').expect(200)).body).toEqual({ asked: 1 });
    expect((await toy.get('/toy').expect(200)).body).toEqual({ asked: 2 });
  });
});

describe('an operation with a step-up', () => {
  const withStepUp = {
    ...document,
    paths: {
      '/toy': {
        get: { ...common, operationId: 'getToy', security: [{ bearerAuth: [] }], 'x-step-up': true },
      },
    },
  } as unknown as Document;
  const handle = () => Promise.resolve({});

  it('keeps a server from starting that has no handler for it', () => {
    expect(() => toyRouter({ handle, document: withStepUp })).toThrow('getToy: step-ups have no handler');
    const confirm = () => Promise.resolve();
    expect(() => toyRouter({ handle, document: withStepUp, confirm })).not.toThrow();
  });

  it('takes credentials', () => {
    const open = {
      ...document,
      paths: { '/toy': { get: { ...common, operationId: 'getToy', 'x-step-up': true } } },
    };
    expect(() => operationsOf(open as never)).toThrow('needs a security scheme');
  });
});

// The router over a contract of its own: problems it must declare, its own table, schemes that must have handlers.
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import type { Document } from '../../src/contract/document.ts';
import { createContractRouter } from '../../src/contract/router.ts';
import { DomainError } from '../../src/errors.ts';
import { problems } from '../../src/problems.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Toy', version: '1.0.0' },
  paths: {
    '/toy': {
      get: {
        operationId: 'getToy',
        tags: ['toys'],
        security: [],
        parameters: [{ name: 'Prefer', in: 'header', schema: { type: 'string' } }],
        responses: { '200': { description: 'ok', content: { 'application/json': { schema: {} } } } },
        'x-problem-codes': ['not_found'],
      },
    },
  },
  components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
} as unknown as Document;

interface ToyOptions {
  getToy: (ctx: null, request: { waitSeconds: number }) => Promise<unknown>;
  validateReplies?: boolean;
  requestIdField?: string;
}

function toyApp({ getToy, validateReplies = true, requestIdField = 'request_id' }: ToyOptions) {
  const app = express();
  app.use(
    createContractRouter<null, null>({
      document,
      handlers: { getToy },
      problems: { ...problems, requestIdField },
      security: { schemes: { bearerAuth: async () => null }, authorize: () => undefined, anonymous: null },
      createContext: () => null,
      idempotency: undefined,
      validateReplies,
      bodyLimit: 1000,
      log: pino({ level: 'silent' }),
    }),
  );
  return request(app);
}

const throwing = (code: 'not_found' | 'name_taken' | 'forbidden') => async () => {
  throw new DomainError(code, 'because');
};

describe('a problem', () => {
  it('that the operation declares is answered', async () => {
    const { body } = await toyApp({ getToy: throwing('not_found') })
      .get('/toy')
      .expect(404);
    expect(body).toMatchObject({ code: 'not_found', detail: 'because' });
  });

  it('that any operation may answer need not be declared', async () => {
    await toyApp({ getToy: throwing('forbidden') })
      .get('/toy')
      .expect(403);
  });

  it('that it does not declare is a fault of ours while replies are checked, and answered otherwise', async () => {
    const { body } = await toyApp({ getToy: throwing('name_taken') })
      .get('/toy')
      .expect(500);
    expect(body).toMatchObject({ code: 'internal' });
    await toyApp({ getToy: throwing('name_taken'), validateReplies: false })
      .get('/toy')
      .expect(409);
  });

  it('names the request as its contract says', async () => {
    const { body } = await toyApp({ getToy: throwing('not_found'), requestIdField: 'requestId' }).get('/toy');
    expect(body).toHaveProperty('requestId');
    expect(body).not.toHaveProperty('request_id');
  });

  it('has a kind in every table that the router can be given', () => {
    const { internal: _, ...kinds } = problems.kinds;
    const create = () =>
      createContractRouter<null, null>({
        document,
        handlers: { getToy: throwing('not_found') },
        problems: { ...problems, kinds },
        security: { schemes: { bearerAuth: async () => null }, authorize: () => undefined, anonymous: null },
        createContext: () => null,
        idempotency: undefined,
        validateReplies: true,
        bodyLimit: 1000,
        log: pino({ level: 'silent' }),
      });
    expect(create).toThrow('the problem table lacks internal');
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
  const getToy = async (_: null, { waitSeconds }: { waitSeconds: number }) => ({ waitSeconds });
  const call = toyApp({ getToy }).get('/toy');
  const { body } = await (prefer === undefined ? call : call.set('Prefer', prefer)).expect(200);
  expect(body).toEqual({ waitSeconds: seconds });
});

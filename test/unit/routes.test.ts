// Finding the operation of a path.
import type { Document } from '../../src/contract/document.ts';
import { Routes } from '../../src/contract/routes.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/toys/{name}': {
      get: {
        operationId: 'getToy',
        tags: ['toys'],
        security: [],
        responses: { '200': { description: 'ok' } },
      },
    },
  },
  components: {},
} as unknown as Document;

it('a value of a path may have any length; its schema refuses those that are too long', () => {
  const routes = new Routes(document, { getToy: () => undefined }, undefined);
  const name = 'x'.repeat(10_000);
  expect(routes.find(`/toys/${name}`)?.params).toEqual({ name });
});

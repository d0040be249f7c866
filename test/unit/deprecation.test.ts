// How the responses of a deprecated operation announce it, and which deprecations the contract may declare.
import { operationsOf, type Document } from '../../src/contract/document.ts';

const documentWith = (operation: object): Document => ({
  openapi: '3.1.0',
  info: { title: 'A test', version: '1.0.0' },
  paths: {
    '/toys': {
      get: { operationId: 'listToys', tags: ['toys'], security: [], responses: { 204: {} }, ...operation },
    },
  },
  components: {},
});

const read = (operation: object) => operationsOf(documentWith(operation))[0]?.deprecation;

describe('a deprecation', () => {
  it('has two days, at least 12 months apart', () => {
    const days = { 'x-deprecated-on': '2026-12-01', 'x-sunset': '2027-12-01' };
    expect(read({ deprecated: true, ...days })).toEqual({
      sinceMs: Date.UTC(2026, 11, 1),
      sunsetMs: Date.UTC(2027, 11, 1),
      successor: undefined,
    });
    expect(read({})).toBeUndefined();
  });

  it.each([
    ['without its days', { deprecated: true }, 'needs x-deprecated-on and x-sunset'],
    [
      'without a sunset',
      { deprecated: true, 'x-deprecated-on': '2026-12-01' },
      'needs x-deprecated-on and x-sunset',
    ],
    [
      'with less notice',
      { deprecated: true, 'x-deprecated-on': '2026-12-01', 'x-sunset': '2027-11-30' },
      'has a sunset before 2027-12-01',
    ],
    ['that is not one', { 'x-sunset': '2027-11-30' }, 'has a sunset or a successor but is not deprecated'],
    ['without it but with a successor', { 'x-successor': 'listToys' }, 'but is not deprecated'],
    [
      'with a successor that is no operation',
      {
        deprecated: true,
        'x-deprecated-on': '2026-12-01',
        'x-sunset': '2027-12-01',
        'x-successor': 'findToys',
      },
      'listToys has the unknown successor findToys',
    ],
  ])('%s prevents startup', (_case, operation, reason) => {
    expect(() => read(operation)).toThrow(reason);
  });
});

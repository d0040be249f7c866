// Errors in the words of the panel: refusals, a lost connection, and faults of the panel itself.
import { HttpError, ProblemError, type Problem } from '../../client/src/index.ts';
import { textOf, type FallbackWords } from '../../panel/src/api/problem.ts';

const words: FallbackWords = {
  unreachable: { title: 'unreachable', detail: '' },
  unexpected: (status) => ({ title: `status ${status}`, detail: '' }),
  invalid: { title: 'invalid', detail: 'nothing was changed' },
  fault: { title: 'fault', detail: '' },
};

const titleOf = (error: Error) => textOf(error, words, () => false).title;

it.each([
  new TypeError('Failed to fetch'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Load failed'),
  new TypeError('network error'),
  new TypeError('Failed to fetch dynamically imported module: https://example.com/assets/page.js'),
  new DOMException('signal timed out', 'TimeoutError'),
])('"%s" is a lost connection', (error) => {
  expect(titleOf(error)).toBe('unreachable');
});

it('other errors are faults of the panel, with details to copy', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'name')");
  expect(textOf(error, words, () => false)).toMatchObject({ title: 'fault', report: error.stack });
});

it("a proxy's reply is unexpected", () => {
  expect(titleOf(new HttpError('502', new Response(null, { status: 502 }), ''))).toBe('status 502');
});

it('faults that stand at their fields are left out, and the others name their place in words', () => {
  const problem = {
    code: 'validation_failed',
    title: 'The request does not match the contract',
    detail: 'body /name: is too short',
    request_id: 'r',
    errors: [
      { in: 'body', pointer: '/name', detail: 'is too short' },
      { in: 'body', pointer: '/items/0/max_price', detail: 'is not a number' },
      { in: 'body', pointer: '', detail: 'is not an object' },
    ],
  } as unknown as Problem;
  const error = new ProblemError(problem, new Response(null, { status: 400 }), '');
  const { title, detail, faults } = textOf(error, words, (pointer) => pointer === '/name');
  expect([title, detail]).toEqual(['invalid', 'nothing was changed']);
  expect(faults).toEqual(['items 1, max price: is not a number', 'is not an object']);
});

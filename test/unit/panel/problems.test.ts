// Errors in the words of the panel: refusals, a lost connection, and faults of the panel itself.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import i18next from 'i18next';
import { HttpError, ProblemError, type Problem } from '../../../client/src/index.ts';
import { reasonOf, textOf } from '../../../panel/src/api/problem.ts';

const textsOf = (area: string) =>
  JSON.parse(
    readFileSync(resolve(import.meta.dirname, `../../../panel/src/texts/en/${area}.json`), 'utf8'),
  ) as object;

beforeAll(() =>
  i18next.init({
    lng: 'en',
    ns: ['common'],
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    resources: { en: { common: textsOf('common'), problems: textsOf('problems') } },
  }),
);

const titleOf = (error: Error) => textOf(error).title;

it.each([
  new TypeError('Failed to fetch'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Load failed'),
  new TypeError('network error'),
  new TypeError('Failed to fetch dynamically imported module: https://example.com/assets/page.js'),
  new DOMException('signal timed out', 'TimeoutError'),
])('"%s" is a lost connection', (error) => {
  expect(titleOf(error)).toBe('Gantry cannot be reached');
});

it('other errors are faults of the panel, with details to copy', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'name')");
  expect(textOf(error)).toMatchObject({ title: 'The panel made an error', report: error.stack });
});

it("a proxy's reply is unexpected", () => {
  const error = new HttpError('502', new Response(null, { status: 502 }), '');
  expect(titleOf(error)).toBe('Unexpected response');
  expect(reasonOf(error)).toContain('returned status 502 without a reason');
});

it('a line in a list of results says why, without advice for forms', () => {
  const refusal = (problem: object) =>
    reasonOf(
      new ProblemError(
        { title: 'Title', request_id: 'r', ...problem } as unknown as Problem,
        new Response(null, { status: 400 }),
        '',
      ),
    );
  expect(reasonOf(new TypeError('Failed to fetch'))).toBe('Gantry cannot be reached');
  expect(reasonOf(new Error('x'))).toBe('The panel made an error');
  expect(refusal({ code: 'agent_offline', detail: 'The agent is not connected.' })).toBe(
    'The agent is not connected.',
  );
  const errors = [{ in: 'body', pointer: '/message', detail: 'has two lines' }];
  expect(refusal({ code: 'validation_failed', detail: 'body /message: has two lines', errors })).toBe(
    'message: has two lines',
  );
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
  const { title, detail, faults } = textOf(error, (pointer) => pointer === '/name');
  expect([title, detail]).toEqual([
    'Something has to be corrected',
    'Nothing was changed. Correct what is marked, then try again.',
  ]);
  expect(faults).toEqual(['items 1, max price: is not a number', 'is not an object']);
});

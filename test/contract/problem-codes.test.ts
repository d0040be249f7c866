// Problem codes: which operation lists which, and the published list of all of them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { problemCodesOf } from '../../src/contract/operation-problems.ts';
import { problems } from '../../src/platform-contract/problems.ts';
import { enumOf, operations, root } from '../support/contract.ts';

it('every code of the contract has a kind, and every kind a code', () => {
  expect(Object.keys(problems.kinds).toSorted()).toEqual(enumOf('ProblemCode').toSorted());
});

it('operations list codes of their own only, not those common to all operations', () => {
  const general = operations.flatMap(({ id, problemCodes = [] }) =>
    problemCodes.filter((code) => problems.kinds[code]?.isGeneral === true).map((code) => `${id} ${code}`),
  );
  expect(general).toEqual([]);
});

it('some operation returns every code that is not common to all', () => {
  const listed = new Set(operations.flatMap(({ problemCodes = [] }) => problemCodes));
  const unlisted = Object.entries(problems.kinds)
    .filter(([code, { isGeneral }]) => isGeneral === undefined && !listed.has(code))
    .map(([code]) => code);
  expect(unlisted).toEqual([]);
});

it('each response names the codes of its operation, with an example that is one of them', () => {
  const wrong = responsesOfOperations().filter(({ status, response: { description, content } }) => {
    const code = content?.['application/problem+json']?.example?.code;
    return /^[45]/.test(status) && (code === undefined || !description.includes(`\`${code}\``));
  });
  expect(wrong).toEqual([]);
  const responses = responsesOfOperations();
  const foreign = operations.flatMap(({ id, problemCodes = [] }) =>
    responses
      .filter((found) => found.id === id && found.status === '409')
      .map(({ response }) => response.content?.['application/problem+json']?.example?.code ?? '')
      .filter((code) => !problemCodes.includes(code) && problems.kinds[code]?.isGeneral !== true),
  );
  expect(foreign).toEqual([]);
});

it('the responses of each operation name exactly the codes that it can return', () => {
  const named = new Map<string, string[]>();
  for (const { id, status, response } of responsesOfOperations()) {
    if (!/^[45]/.test(status)) continue;
    const codes = [...response.description.matchAll(/`(\w+)`: /g)].map(([, code = '']) => code);
    named.set(id, [...(named.get(id) ?? []), ...codes]);
  }
  const differing = declaredOperations().filter(
    (operation) =>
      problemCodesOf(operation, problems.kinds).toSorted().join() !==
      named.get(operation.operationId)?.toSorted().join(),
  );
  expect(differing.map(({ operationId }) => operationId)).toEqual([]);
});

it('successes declare the headers of rate limits', () => {
  const silent = responsesOfOperations()
    .filter(({ status }) => status.startsWith('2'))
    .filter(({ response: { headers = {} } }) => !('RateLimit' in headers && 'RateLimit-Policy' in headers));
  expect(silent.map(({ id, status }) => `${id} ${status}`)).toEqual([]);
});

interface DeclaredResponse {
  description: string;
  headers?: object;
  content?: Record<string, { example?: { code?: string } }>;
}

interface PublishedOperation {
  security: Record<string, string[]>[];
  operationId: string;
  responses: Record<string, DeclaredResponse | { $ref: string }>;
}

const declaredOperations = () =>
  Object.values(published().paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => (method === 'parameters' ? [] : [operation])),
  );

interface Published {
  paths: Record<string, Record<string, PublishedOperation>>;
  components: { responses: Record<string, DeclaredResponse> };
}

const published = () =>
  JSON.parse(readFileSync(resolve(root, 'generated/platform.openapi.json'), 'utf8')) as Published;

/** Every response of every operation, with its references resolved. */
function responsesOfOperations(): { id: string; status: string; response: DeclaredResponse }[] {
  const { paths, components } = published();
  return Object.values(paths).flatMap((item) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .flatMap(([, { operationId: id, responses }]) =>
        Object.entries(responses).map(([status, given]) => {
          const response = '$ref' in given ? components.responses[given.$ref.split('/').at(-1) ?? ''] : given;
          if (response === undefined) throw new Error(`${id} ${status} refers to nothing`);
          return { id, status, response };
        }),
      ),
  );
}

// Problem codes: which operation lists which, and what callers can learn of all of them.
import { problems } from '../../src/problems.ts';
import { enumOf, operations } from '../support/contract.ts';

it('every code of the contract has a kind, and no other has', () => {
  expect(Object.keys(problems.kinds).toSorted()).toEqual(enumOf('ProblemCode').toSorted());
});

it('operations list codes of their own only, not those that any operation may answer', () => {
  const general = operations.flatMap(({ id, problemCodes = [] }) =>
    problemCodes.filter((code) => problems.kinds[code]?.isGeneral === true).map((code) => `${id} ${code}`),
  );
  expect(general).toEqual([]);
});

it('every code that is not general can be answered by some operation', () => {
  const listed = new Set(operations.flatMap(({ problemCodes = [] }) => problemCodes));
  const unlisted = Object.entries(problems.kinds)
    .filter(([code, { isGeneral }]) => isGeneral !== true && !listed.has(code))
    .map(([code]) => code);
  expect(unlisted).toEqual([]);
});

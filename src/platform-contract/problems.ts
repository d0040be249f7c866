// The problems of the platform's contract: status, title, cause and remedy of every code.
import type { ProblemKind, ProblemTable } from '../contract/problem.ts';
import type { ProblemCode } from '../errors.ts';
import { accessProblems } from './problem-kinds/access.ts';
import { commerceProblems } from './problem-kinds/commerce.ts';
import { requestProblems } from './problem-kinds/requests.ts';
import { serverProblems } from './problem-kinds/servers.ts';

const kinds: Record<ProblemCode, ProblemKind> = {
  ...requestProblems,
  ...accessProblems,
  ...serverProblems,
  ...commerceProblems,
};

export const problems: ProblemTable = {
  kinds,
  requestIdField: 'request_id',
};

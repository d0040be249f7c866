// The refusals of the manager, by the codes of its own contract.
import { DomainError } from '../../src/errors.ts';
import type { ProblemCode } from './problems.ts';

export type Refusal = DomainError<ProblemCode>;

export const refusal = (
  code: ProblemCode,
  detail: string,
  options?: ConstructorParameters<typeof DomainError>[2],
): Refusal => new DomainError<ProblemCode>(code, detail, options);

/** A refusal because of one place of the body. */
export const refusalAt = (code: ProblemCode, pointer: string, detail: string): Refusal =>
  refusal(code, detail, { faults: [{ in: 'body', pointer, detail }] });

export const isRefusal = (error: unknown): error is Refusal => error instanceof DomainError;

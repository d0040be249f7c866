// The refusals that a caller can act on, by problem code and independent of HTTP.
import type { components } from '../generated/platform.d.ts';

export type ProblemCode = components['schemas']['ProblemCode'];
export type Fault = components['schemas']['ProblemError'];

interface DomainErrorOptions extends ErrorOptions {
  faults?: Fault[];
  members?: Readonly<Record<string, unknown>>;
}

/** A refusal. `detail` and `faults` are shown to the caller; internal information belongs into `cause`. */
export class DomainError<Code extends string = ProblemCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: Code;
  readonly faults: Fault[] | undefined;
  /** Additional members of the problem, by their names in the contract. */
  readonly members: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code, detail: string, options: DomainErrorOptions = {}) {
    super(detail, options);
    this.code = code;
    this.faults = options.faults;
    this.members = options.members;
  }
}

/** Whether a dependency could not be reached, so that the outcome is unknown. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'unavailable';

/** Whether the error is a decision about the request: every DomainError except `unavailable`. */
export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && !isUnavailable(error);

/** Why this process cannot do its work, in words that may be public. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** The same response for missing resources and for those that the caller may not know of. */
export const notFound = (what: string) => new DomainError('not_found', `No such ${what}.`);

export const unauthorized = () => new DomainError('unauthorized', 'Valid credentials are needed.');

export const invalidField = (fault: Fault) =>
  new DomainError('validation_failed', `${fault.in} ${fault.pointer}: ${fault.detail}`, { faults: [fault] });

// Translates failed requests to agents into problems.
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { DomainError } from '../errors.ts';

/** The failure of a request to an agent, as a problem for the caller. */
export function requestFailure(error: unknown, timeoutMs: number): DomainError {
  if (error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders()))
    return new DomainError('agent_offline', 'The agent of this host is not connected.', { cause: error });
  if (error instanceof TimeoutError)
    return new DomainError('agent_timeout', `The agent did not reply within ${timeoutMs / 1000} seconds.`, {
      cause: error,
    });
  return new DomainError('unavailable', 'The message bus cannot be reached; try again soon.', {
    cause: error,
  });
}

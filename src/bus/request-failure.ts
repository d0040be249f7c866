// Converts the failure of a request to an agent into a problem for the caller.
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { DomainError } from '../errors.ts';

export function requestFailure(error: unknown, timeoutMs: number): DomainError {
  if (error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders()))
    return new DomainError('agent_offline', 'The agent of this host is not connected.', { cause: error });
  if (error instanceof TimeoutError)
    return new DomainError('agent_timeout', `The agent did not answer within ${timeoutMs / 1000} seconds.`, {
      cause: error,
    });
  return new DomainError('unavailable', 'The message bus can not be reached; try again soon.', {
    cause: error,
  });
}

/** Whether a reply came. Rejects if the bus is unavailable, since the agent's state is then unknown. */
export async function isAnswered(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'unavailable') return false;
    throw error;
  }
}

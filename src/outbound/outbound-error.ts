// Why a request to the outside has come to nothing.

export type OutboundFailure =
  /** The URL is none that anything may be sent to; so it will stay. */
  | 'url_refused'
  /** The address is one that nothing may be sent to. */
  | 'address_refused'
  | 'unresolved'
  | 'timed_out'
  /** No connection, or it ended before the answer did. */
  | 'connection_failed';

/** Its message may be shown to whoever chose the destination: it tells nothing of what is behind a name. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

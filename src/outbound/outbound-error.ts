// Why an outbound request failed.

export type OutboundFailure =
  /** The URL is not allowed; a retry cannot succeed. */
  | 'url_refused'
  /** The address is not allowed. */
  | 'address_refused'
  | 'unresolved'
  | 'timed_out'
  /** The connection failed, or closed before the response was complete. */
  | 'connection_failed';

/**
 * Its message may be shown to the user who chose the destination: it reveals nothing about the addresses behind a name.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

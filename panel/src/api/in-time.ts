// Gives up readings that get no response: the connection may be lost without a report, as after a sleep of the machine.

/** Longer than the platform takes for any response; the body may take longer. */
const maxWaitMs = 60_000;

type Transport = (request: Request) => Promise<Response>;

/** Rejects with a TimeoutError if no response to a reading begins in time. */
export const inTime =
  (transport: Transport): Transport =>
  async (request) => {
    if (request.method !== 'GET') return transport(request);
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException('The platform did not respond in time.', 'TimeoutError')),
      maxWaitMs,
    );
    try {
      return await transport(
        new Request(request, { signal: AbortSignal.any([request.signal, late.signal]) }),
      );
    } finally {
      clearTimeout(timer);
    }
  };

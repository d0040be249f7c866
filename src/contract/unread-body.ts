// Closes connections whose client continues to send a refused body.
import type { Request, Response } from 'express';

/**
 * How long a client gets to read the response. Closing at once could discard the response before the client reads it.
 */
export const lingerMs = 2_000;

/** Call it if the response does not depend on the rest of the body; the rest is discarded. */
export function cutOffUnread(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    request.resume();
    const timer = setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

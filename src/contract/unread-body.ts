// Ends connections on which somebody goes on sending a body that was refused.
import type { Request, Response } from 'express';

/** How long a caller may take to notice the answer. Closing at once could take it from them before they have read it. */
const lingerMs = 2_000;

/** Call it when the answer does not depend on the rest of the body; what still comes is thrown away meanwhile. */
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

// Listens on the configured port, or on the next one that Windows does not reserve.
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Windows reserves ports in ranges of a hundred, for Hyper-V and containers. */
const maxTries = 500;

/** Returns once the server listens. Another program on the port is an error: it may be another manager. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    server.listen(port + tried, host);
    try {
      await once(server, 'listening');
      return;
    } catch (error) {
      if (tried === maxTries || !isPassable(error, tried)) throw error;
    }
  }
}

/** After a reserved port, one in use is passed over as well. */
function isPassable(error: unknown, tried: number): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || (tried > 0 && code === 'EADDRINUSE');
}

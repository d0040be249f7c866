// Finds a port for a program that takes its port as a setting.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port on 127.0.0.1 that no program listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

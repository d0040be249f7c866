// A webhook receiver as a child of a benchmark: it accepts everything at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../support/child.ts';

const server = createServer((message, reply) => {
  message.resume();
  message.on('end', () => reply.writeHead(204).end());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });

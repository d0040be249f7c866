// Connections to PostgreSQL that the server ends in the same packet as its greeting.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createClient } from '../../src/database/client.ts';

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const greeting = Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), message('Z', Buffer.from('I'))]);
const shutdown = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

it('a connection that ends at once is rejected, and the process survives', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([greeting, shutdown])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ url: `postgres://user:password@127.0.0.1:${port}/database` });
  await expect(client.connect()).rejects.toThrow();
  server.close();
});

// Relays connections to a Unix socket. Arguments: the address and port to listen on, and the path of the
// socket.
import { connect, createServer } from 'node:net';

const [address = '', port = '', path = ''] = process.argv.slice(2);

createServer((client) => {
  const server = connect({ path });
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
}).listen(Number(port), address, () => process.stdout.write('listening\n'));

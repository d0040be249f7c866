// How sockets of agents end when the platform stops.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { busPath, BusRelay } from '../../src/bus/websocket-relay.ts';

const listening = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

it('tells them that the server goes away, and ends those that do not reply', async () => {
  const bus = createServer((socket) => void socket.resume().on('error', () => undefined));
  const relay = new BusRelay({
    url: `nats://127.0.0.1:${await listening(bus)}`,
    log: pino({ level: 'silent' }),
  });
  const server = createHttpServer();
  server.on('upgrade', (request, socket, head) => void relay.take(request, socket, head, 'here'));
  const url = `ws://127.0.0.1:${await listening(server)}${busPath}`;
  const [replying, mute] = [new WebSocket(url), new WebSocket(url)];
  mute.on('error', () => undefined);
  await Promise.all([once(replying, 'open'), once(mute, 'open')]);
  mute.pause();
  const closed = once(replying, 'close');
  await relay.close();
  const [code] = (await closed) as [number];
  expect(code).toBe(1001);
  mute.terminate();
  server.close();
  bus.close();
});

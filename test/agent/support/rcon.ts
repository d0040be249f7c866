// A WebRCON server in the hands of a test: it receives every command and sends what the test wants.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

export const serverInfo = { MaxPlayers: 50, Players: 1, EntityCount: 7, Framerate: 30.04, Map: 'Barren' };

export class FakeRcon {
  readonly port: number;
  /** Every command that came, in order, but for those of the agent's own polling. */
  readonly commands: string[] = [];
  readonly sockets = new Set<WebSocket>();
  connections = 0;
  /** Of a server with Oxide. */
  oxideVersion: string | undefined;
  players: object[] = [];
  /** What it replies; undefined for nothing. */
  reply: (command: string) => string | undefined = () => '';
  /** Called instead of replying, with each new connection. */
  greet: ((socket: WebSocket) => void) | undefined;
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => this.#serve(socket));
  }

  static async open(): Promise<FakeRcon> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new FakeRcon(server);
  }

  say(text: string, Type = 'Generic', Identifier = 0): void {
    for (const socket of this.sockets) socket.send(JSON.stringify({ Message: text, Identifier, Type }));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: WebSocket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.terminate());
    if (this.greet !== undefined) {
      this.greet(socket);
      return;
    }
    socket.on('message', (data) => {
      const { Identifier, Message } = JSON.parse((data as Buffer).toString()) as Record<string, unknown>;
      const text = this.#replyTo(String(Message));
      if (text !== undefined) socket.send(JSON.stringify({ Message: text, Identifier, Type: 'Generic' }));
    });
  }

  #replyTo(command: string): string | undefined {
    if (command === 'serverinfo') return JSON.stringify(serverInfo);
    if (command === 'playerlist') return JSON.stringify(this.players);
    if (command === 'oxide.version' && this.oxideVersion !== undefined) return this.oxideVersion;
    if (/^(oxide|c)\.version$/.test(command)) return `Command '${command}' not found`;
    if (/^server\.(seed|worldsize|levelurl)$/.test(command)) return `${command}: ""`;
    this.commands.push(command);
    return this.reply(command);
  }
}

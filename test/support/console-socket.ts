// A console socket as a client sees it: the frames it received, and how it closed.
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { until } from './until.ts';
import type { Member, World } from './world.ts';

export interface Frame {
  type: string;
  [field: string]: unknown;
}

export interface Line {
  seq: number;
  at: string;
  stream: 'stdout' | 'stderr' | 'input' | 'system';
  text: string;
  by?: string;
}

export async function createTicket(world: World, instanceId: string, member: Member): Promise<string> {
  const { body } = await world
    .call('post', `/api/instances/${instanceId}/console-tickets`, member)
    .expect(201);
  return (body as { ticket: string }).ticket;
}

export const consolePath = (instanceId: string, ticket: string) =>
  `/api/instances/${instanceId}/console?ticket=${ticket}`;

export class ConsoleSocket {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  /** Code that the socket was closed with; undefined while it is open. */
  closeCode: number | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString()) as Frame));
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => undefined);
  }

  /** Opens a socket with a new ticket of that member. */
  static async open(world: World, instanceId: string, member: Member): Promise<ConsoleSocket> {
    return ConsoleSocket.at(world, consolePath(instanceId, await createTicket(world, instanceId, member)));
  }

  /** Opens a socket at that path; rejects with the status of the refusal. */
  static at(world: World, path: string, base = world.url): Promise<ConsoleSocket> {
    const socket = new WebSocket(base.replace('http', 'ws') + path, { perMessageDeflate: false });
    const console = new ConsoleSocket(socket);
    world.atEnd(async () => socket.terminate());
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(console));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, { statusCode }) => {
        reject(new Error(`refused with ${statusCode ?? 'no status'}`));
        socket.terminate();
      });
    });
  }

  /** The first frame of that type, once it has arrived. */
  async frame(type: string, skip = 0): Promise<Frame> {
    return until(() => this.frames.filter((frame) => frame.type === type)[skip], `a frame ${type}`);
  }

  /** Every line so far. */
  get lines(): Line[] {
    return this.frames.filter(({ type }) => type === 'lines').flatMap(({ lines }) => lines as Line[]);
  }

  get texts(): string[] {
    return this.lines.map(({ text }) => text);
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  }

  /** Types a line and returns the result. */
  async type(line: string, id = `${this.frames.length}-${Math.random()}`): Promise<Frame> {
    this.send({ type: 'input', id, line });
    return until(
      () => this.frames.find((frame) => frame.type === 'input_result' && frame['id'] === id),
      'the result',
    );
  }

  /** The code that the socket is closed with. */
  async closed(ms?: number): Promise<number> {
    return until(() => this.closeCode, 'the socket closing', ms);
  }

  /** Stops reading, as a stuck client does. */
  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  get #connection(): Socket {
    return (this.socket as unknown as { _socket: Socket })._socket;
  }

  close(): void {
    this.socket.close();
  }
}

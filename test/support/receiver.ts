// A webhook receiver: a real server that keeps its requests and responds as configured.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: { id: string; type: string; occurred_at: string; license_id: string; data: Record<string, unknown> };
}

type Responder = (reply: ServerResponse, received: Received) => unknown;

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (reply) =>
    reply.writeHead(status, headers).end(`status ${status}`);

export class Receiver {
  readonly received: Received[] = [];
  /** Maximum of concurrent requests. */
  maxAtOnce = 0;
  respond: Responder = respondWith(204);
  #atOnce = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(response?: Responder): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    if (response !== undefined) receiver.respond = response;
    server.on('request', (message, reply) => void receiver.#take(message, reply));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Ids of the received deliveries, in the order of arrival. */
  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['x-service-delivery']));
  }

  /** The first request after the skipped ones, once it has arrived. */
  next(skip = 0): Promise<Received> {
    return until(() => this.received[skip], `request ${skip + 1} to the receiver`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(message: IncomingMessage, reply: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.maxAtOnce = Math.max(this.maxAtOnce, this.#atOnce);
    reply.on('close', () => (this.#atOnce -= 1));
    const chunks: Buffer[] = [];
    message.on('error', () => undefined);
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = message.headers['content-type'] === 'application/json';
    const body = (isJson ? JSON.parse(text) : {}) as Received['body'];
    const received = { headers: message.headers, text, body };
    this.received.push(received);
    this.respond(reply, received);
  }
}

/** Whether one of the signatures is that of this secret. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const signed = `${String(headers['x-service-delivery'])}.${String(headers['x-service-timestamp'])}.${text}`;
  const expected = createHmac('sha256', secret).update(signed).digest('hex');
  return String(headers['x-service-signature']).split(',').includes(`v1=${expected}`);
}

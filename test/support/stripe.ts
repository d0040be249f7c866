// A stand-in for Stripe's HTTP API that records its requests, and events signed as Stripe signs them.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import type { Test } from 'supertest';
import type { World } from './world.ts';

export interface StripeRequest {
  method: string;
  path: string;
  /** The form with its field names as sent. */
  form: Record<string, string>;
  key: string;
  idempotencyKey: string;
}

export class StandInStripe {
  readonly requests: StripeRequest[] = [];
  /** Statuses of the next responses to requests that open a checkout; each is repeated for the same key, as Stripe does. */
  readonly openFailures: number[] = [];
  /** Statuses of the next responses to requests that read an object. */
  readonly readFailures: number[] = [];
  readonly #failed = new Map<string, number>();
  /** API keys that are rejected. */
  readonly revokedKeys = new Set<string>();
  readonly #server: Server;
  /** Status of sessions by id; other objects by path. */
  readonly objects = new Map<string, object>();
  readonly #responses = new Map<string, object>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<StandInStripe> {
    const server = createServer();
    const stripe = new StandInStripe(server);
    server.on('request', (message, reply) => void stripe.#take(message, reply));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return stripe;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The request for the checkout of that order or subscription. */
  checkoutOf(id: string): StripeRequest | undefined {
    return this.requests.find(({ form }) => form['client_reference_id'] === id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(message: IncomingMessage, reply: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const idempotencyKey = String(message.headers['idempotency-key']);
    this.requests.push({
      method: message.method ?? '',
      path: message.url ?? '',
      form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
      key: String(message.headers.authorization),
      idempotencyKey,
    });
    const failure = this.#failureOf(message, idempotencyKey);
    const made = this.#respond(message.method ?? '', message.url ?? '', idempotencyKey);
    reply.writeHead(failure ?? 200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(failure === undefined ? made : { error: errorOf(failure) }));
  }

  #failureOf({ method, headers, url }: IncomingMessage, idempotencyKey: string): number | undefined {
    if (this.revokedKeys.has(String(headers.authorization).replace('Bearer ', ''))) return 401;
    if (method === 'GET') return this.readFailures.shift();
    if (url !== '/v1/checkout/sessions') return undefined;
    const failure = this.#failed.get(idempotencyKey) ?? this.openFailures.shift();
    if (failure !== undefined) this.#failed.set(idempotencyKey, failure);
    return failure;
  }

  #expire(path: string): void {
    this.objects.set(path, { ...this.objects.get(path), status: 'expired' });
  }

  #respond(method: string, url: string, idempotencyKey: string): object {
    const [path = ''] = url.split('?');
    const isMaking = method === 'POST' && path === '/v1/checkout/sessions';
    if (!isMaking) {
      if (path.endsWith('/expire')) this.#expire(path.slice(0, -'/expire'.length));
      const known = path.replace(/\/expire$/, '');
      return { id: known.split('/').at(-1), status: 'open', ...this.objects.get(known) };
    }
    const id = `cs_test_${randomUUID()}`;
    const made = this.#responses.get(idempotencyKey) ?? {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    this.#responses.set(idempotencyKey, made);
    return made;
  }
}

const errorOf = (status: number) => ({
  type: status >= 500 ? 'api_error' : 'invalid_request_error',
  message: status === 401 ? 'Invalid API Key provided.' : 'Amount must be at least $0.50 usd.',
});

export interface Signing {
  secret: string;
  /** In seconds; now by default. */
  timestamp?: number;
  /** The body to send instead of the signed one. */
  tamper?: (payload: string) => string;
}

/** An event as Stripe formats it. */
export const stripeEvent = (type: string, object: object, values: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  api_version: '2026-01-01',
  created: Math.floor(Date.now() / 1000),
  type,
  data: { object },
  ...values,
});

export const completed = (orderId: string, amount_total: number, values: object = {}) => ({
  id: `cs_test_${orderId}`,
  object: 'checkout.session',
  mode: 'payment',
  payment_status: 'paid',
  client_reference_id: orderId,
  payment_intent: `pi_${orderId}`,
  amount_total,
  currency: 'usd',
  metadata: { order_id: orderId },
  ...values,
});

/** Stripe's signature of the payload, now by default. */
export const signatureOf = (
  payload: string,
  secret: string,
  timestamp = Math.floor(Date.now() / 1000),
): string => Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });

/** Sends the event signed with that secret. */
export function sendEvent(
  world: World,
  path: string,
  event: object,
  { secret, timestamp, tamper = (payload) => payload }: Signing,
): Test {
  const payload = JSON.stringify(event, null, 2);
  return world
    .call('post', path)
    .set('Content-Type', 'application/json; charset=utf-8')
    .set('Stripe-Signature', signatureOf(payload, secret, timestamp))
    .send(tamper(payload));
}

// Members' writes over the API of whichever cell the directory names, and heartbeats; every outcome is recorded.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 10;
/** Of each of so many clusters all but one are deleted again. */
const keptOf = 5;

export interface Client {
  apiKey: string;
  /** The cell that the license is in, as far as the router knows. */
  url: () => string;
}

interface Outcome {
  at: number;
  isRefused: boolean;
  url: string;
}

/** Creates, changes and deletes clusters. A refused request is sent again until it succeeds. */
export class Traffic {
  readonly outcomes: Outcome[] = [];
  /** Responses other than success and the refusal. */
  readonly unexpected: string[] = [];
  /** What has to exist in the end: names by ID. */
  readonly expected = new Map<string, string>();
  /** Successful requests that create, change or delete; each is an event. */
  readonly written = { created: 0, updated: 0, deleted: 0 };
  readonly #client: Client;
  readonly #writers: Promise<void>[] = [];
  #isOver = false;

  constructor(client: Client, writers: number) {
    this.#client = client;
    for (let index = 0; index < writers; index += 1) this.#writers.push(this.#write(index));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writers);
  }

  /** Milliseconds from the first refusal since then to the last, and between two successes around them. */
  refusedSince(since: number): { count: number; spanMs: number; gapMs: number } {
    const outcomes = this.outcomes.filter(({ at }) => at >= since).sort((one, other) => one.at - other.at);
    const refused = outcomes.filter(({ isRefused }) => isRefused);
    const succeeded = outcomes.filter(({ isRefused }) => !isRefused);
    const gaps = succeeded.slice(1).map(({ at }, index) => at - (succeeded[index]?.at ?? at));
    return {
      count: refused.length,
      spanMs: (refused.at(-1)?.at ?? 0) - (refused[0]?.at ?? 0),
      gapMs: Math.max(0, ...gaps),
    };
  }

  async #write(writer: number): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const name = `cluster ${writer}-${number}-${randomUUID().slice(0, 8)}`;
      const { id } = JSON.parse(await this.#send('POST', '/api/fleet/clusters', { name })) as { id: string };
      this.expected.set(id, name);
      this.written.created += 1;
      const path = `/api/fleet/clusters/${id}`;
      await this.#send('PATCH', path, { name: `${name} changed` });
      this.expected.set(id, `${name} changed`);
      this.written.updated += 1;
      if (number % keptOf === 0) continue;
      await this.#send('DELETE', path);
      this.expected.delete(id);
      this.written.deleted += 1;
    }
  }

  async #send(method: string, path: string, body?: object): Promise<string> {
    for (;;) {
      const url = this.#client.url();
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${this.#client.apiKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      this.outcomes.push({ at: performance.now(), isRefused: !response.ok, url });
      if (response.ok) return text;
      // Today the API has no problem of its own for it, so the trigger's refusal is `internal`.
      if (response.status !== 500) {
        this.unexpected.push(`${response.status} ${text.slice(0, 300)}`);
        if (this.unexpected.length > 20) throw new Error(this.unexpected.join('\n'));
      }
      await pause(retryMs);
    }
  }
}

/** Counts the deliveries of each event. */
export class WebhookReceiver {
  readonly deliveries = new Map<string, number>();
  readonly #server = createServer((message, reply) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string };
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
      reply.writeHead(204).end();
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

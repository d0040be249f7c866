// Calls operations: credentials, retries, renewal of sessions, pages, and waiting for commands.
import { randomUUID } from 'node:crypto';
import { errorOf } from '../../client/src/errors.ts';
import { streamEvents } from '../../client/src/events.ts';
import { retrying, whileWanted, type Send } from '../../client/src/retries.ts';
import { renewing, Session, type TokenStore } from '../../client/src/session.ts';
import type { Contract, Operation } from './contract.ts';
import { CliError, exitCodes } from './failures.ts';
import type { Credentials, Profiles, Target } from './profiles.ts';
import { authorization, draftOf, type Arguments, type Draft } from './request.ts';

export interface CallerOptions {
  contract: Contract;
  target: Target;
  profiles: Profiles;
  timeoutMs?: number;
  send?: Send;
}

export interface Reply {
  status: number;
  type: string;
  /** Parsed JSON; otherwise undefined. */
  value: unknown;
  /** The whole body. */
  bytes: Uint8Array;
  headers: Headers;
}

const retries = { retries: 3, firstWaitMs: 250, maxWaitMs: 30_000 };
const defaultTimeoutMs = 60_000;
const pageSize = 100;
const pollMs = 1000;
/** The longest that `Prefer: wait` delays a response. */
const maxPreferredWaitSeconds = 10;

export class Caller {
  readonly contract: Contract;
  readonly #target: Target;
  readonly #timeoutMs: number;
  readonly #send: Send;
  /** Without retries. */
  readonly #sendOnce: Send;
  readonly #session: Session | undefined;

  constructor({ contract, target, profiles, timeoutMs = defaultTimeoutMs, send = fetch }: CallerOptions) {
    this.contract = contract;
    this.#target = target;
    this.#timeoutMs = timeoutMs;
    this.#session = sessionOf(target, profiles, send);
    this.#sendOnce = this.#session === undefined ? send : renewing(send, this.#session);
    this.#send = retrying(this.#sendOnce, retries);
  }

  get credentials(): Credentials {
    return this.#target.credentials;
  }

  /** The request as it would be sent, without its credentials. */
  draft(operation: Operation, given: Arguments): { draft: Draft; secret: [string, string] | undefined } {
    const draft = draftOf(this.#target.server, operation, given);
    const schemes = this.contract.document.components.securitySchemes ?? {};
    return { draft, secret: authorization(operation, schemes, this.#target.credentials) };
  }

  /** The timeout holds until the whole body is read. */
  async call(operation: Operation, given: Arguments): Promise<Reply> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const { draft, secret } = this.draft(operation, given);
    const headers = new Headers(draft.headers);
    if (secret !== undefined) headers.set(...(await this.#current(secret, signal)));
    if (operation.isIdempotent && !headers.has('Idempotency-Key'))
      headers.set('Idempotency-Key', randomUUID());
    const response = await whileWanted(
      this.#send(
        new Request(draft.url, {
          method: draft.method,
          headers,
          body: draft.body ?? null,
          // A redirect would carry the key to another server.
          redirect: 'manual',
          signal,
        }),
        { signal },
      ),
      signal,
    );
    if (!response.ok) throw await whileWanted(errorOf(response), signal);
    const bytes = new Uint8Array(await whileWanted(response.arrayBuffer(), signal));
    const type = response.headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
    const isJson = /[/+]json$/.test(type);
    return {
      status: response.status,
      type,
      value: isJson ? (JSON.parse(new TextDecoder().decode(bytes)) as unknown) : undefined,
      bytes,
      headers: response.headers,
    };
  }

  /** The events of the stream as they come; a lost connection continues after the last one. Ends when aborted. */
  async *events(
    operation: Operation,
    given: Arguments,
    signal: AbortSignal,
  ): AsyncGenerator<Record<string, unknown>, void, undefined> {
    const { secret } = this.draft(operation, given);
    const send: Send = async (request, init) => {
      if (secret !== undefined) request.headers.set(...(await this.#current(secret, signal)));
      return this.#sendOnce(request, init);
    };
    const { cursor: first, ...query } = given.query as Record<string, string | string[]>;
    const cursor = (given.header['Last-Event-ID'] ?? first) as string | undefined;
    const options = { query, signal, ...(cursor !== undefined && { cursor }) };
    try {
      for await (const { event } of streamEvents(send, this.#target.server, options)) yield event;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Every entry of a list, page by page. */
  async *entries(operation: Operation, given: Arguments): AsyncGenerator<unknown, void, undefined> {
    let cursor: unknown = given.query['cursor'];
    do {
      const query = { limit: pageSize, ...given.query, ...(cursor === undefined ? {} : { cursor }) };
      const { value } = await this.call(operation, { ...given, query });
      const page = value as { data: unknown[]; next_cursor: string | null };
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Waits until the command, wipe or application that the operation has started is over, and returns it. */
  async callAndWait(operation: Operation, given: Arguments, seconds: number): Promise<Reply> {
    const deadline = Date.now() + seconds * 1000;
    const prefers = operation.fields.some(({ name, place }) => place === 'header' && name === 'Prefer');
    const wait = Math.min(seconds, maxPreferredWaitSeconds);
    const header = prefers ? { Prefer: `wait=${wait}`, ...given.header } : given.header;
    const accepted = await this.call(operation, { ...given, header });
    const started = this.#startedBy(operation, accepted.value);
    if (started === undefined) return accepted;
    const { reader, own, id } = started;
    let reply: Reply = { ...accepted, value: started.value };
    while (!isOver(reply.value)) {
      if (Date.now() > deadline)
        throw new CliError(
          `${operation.id} was accepted, but was not finished after ${seconds} s. Look again with: gantry api ${reader.id} --${own.replaceAll('_', '-')} ${id}`,
          exitCodes.waitTimeout,
        );
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      reply = await this.call(reader, {
        path: { ...given.path, [own]: id },
        query: {},
        header: {},
        body: undefined,
      });
    }
    return reply;
  }

  /** What the response says was started, with the operation that reads how far it is. */
  #startedBy({ resultNames, method }: Operation, value: unknown) {
    if (method === 'GET') return undefined;
    for (const { property, name } of resultNames) {
      const held = (property === undefined ? value : (value as Record<string, unknown>)[property]) as {
        id?: string;
        finished_at?: unknown;
      } | null;
      const reader = [...this.contract.operations.values()].find(
        (each) =>
          each.method === 'GET' &&
          each.path.endsWith('}') &&
          each.resultNames[0]?.property === undefined &&
          each.resultNames[0]?.name === name,
      );
      const own = reader?.path.match(/\{(\w+)\}$/)?.[1];
      if (reader !== undefined && own !== undefined && typeof held?.id === 'string' && 'finished_at' in held)
        return { reader, own, id: held.id, value: held };
    }
    return undefined;
  }

  /** The session's token of this moment in place of the one that was read at the start. */
  async #current([name, value]: [string, string], signal: AbortSignal): Promise<[string, string]> {
    if (this.#session === undefined) return [name, value];
    const token = await whileWanted(this.#session.accessToken(signal), signal);
    return token === undefined ? [name, value] : [name, `Bearer ${token}`];
  }
}

/** Long work is over once it says when it finished. */
const isOver = (value: unknown): boolean => {
  const { finished_at: finishedAt } = (value ?? {}) as { finished_at?: string | null };
  return finishedAt !== null;
};

/** Whether what was waited for has succeeded. */
export function hasSucceeded(value: unknown): boolean {
  const { status } = (value ?? {}) as { status?: unknown };
  return typeof status !== 'string' || !unsuccessfulStatuses.has(status);
}

const unsuccessfulStatuses = new Set([
  'failed',
  'expired',
  'cancelled',
  'rolled_back',
  'lost',
  'uncertain',
  'skipped',
]);

function sessionOf({ server, credentials }: Target, profiles: Profiles, send: Send): Session | undefined {
  if (credentials.kind !== 'session') return undefined;
  const { profile } = credentials;
  const store: TokenStore = {
    read: async () => (await profiles.read()).profiles[profile]?.session,
    write: (tokens) =>
      profiles.change(({ profiles: all }) => {
        const own = all[profile];
        if (own === undefined) return;
        if (tokens === undefined) delete own.session;
        else own.session = tokens;
      }),
  };
  return new Session({ baseUrl: server, store, send });
}

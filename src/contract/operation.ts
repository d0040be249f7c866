// Everything a handler's signature needs, derived from the generated `operations` interface.
import type { Logger } from 'pino';

type Content<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined;

type Parameters<Op, Place extends string> = Op extends { parameters: { [K in Place]?: infer Values } }
  ? Exclude<Values, undefined>
  : undefined;

type Success = 200 | 201 | 202 | 204;

type SuccessBody<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: Content<Responses[Status]> }[keyof Responses & Success]
  : never;

/** Node gives header names in lower case. */
type LowerCaseKeys<T> = T extends object ? { [Key in keyof T as Lowercase<Key & string>]: T[Key] } : T;

/** `undefined` is among it where the contract lets the body be left out, and all of it where there is none. */
type BodyOf<Op> = Op extends { requestBody: infer Body }
  ? Content<Body>
  : Op extends { requestBody?: infer Body }
    ? [Exclude<Body, undefined>] extends [never]
      ? undefined
      : Content<Exclude<Body, undefined>> | undefined
    : undefined;

/** The parts of a validated request. */
export interface RequestOf<Op> {
  path: Parameters<Op, 'path'>;
  query: Parameters<Op, 'query'>;
  headers: LowerCaseKeys<Parameters<Op, 'header'>>;
  body: BodyOf<Op>;
  /** How long the caller prefers to wait for the end of what they ask for. */
  waitSeconds: number;
}

/** The body that the contract promises; `void` where it promises none. */
export type ReplyOf<Op> = [SuccessBody<Op>] extends [undefined] ? void : SuccessBody<Op>;

/** A reply that may still change: it settles after the transaction has ended, and what it has become is sent instead. */
export class Settling<Body> {
  readonly body: Body;
  readonly #settle: () => Promise<Body>;

  constructor(body: Body, settle: () => Promise<Body>) {
    this.body = body;
    this.#settle = settle;
  }

  /** The body as it has become; as it was where that can't be told: what was done is answered all the same. */
  async end(log: Logger): Promise<Body> {
    try {
      return await this.#settle();
    } catch (error) {
      log.warn({ err: error }, 'an answer could not be brought up to date');
      return this.body;
    }
  }
}

/** What is sent of a handler's reply. */
export async function endOf(reply: unknown, log: Logger): Promise<unknown> {
  return reply instanceof Settling ? (reply.end(log) as Promise<unknown>) : reply;
}

export type Handler<Op, Ctx> = (
  ctx: Ctx,
  request: RequestOf<Op>,
) => Promise<ReplyOf<Op> | Settling<ReplyOf<Op>>>;

/** One handler for every operation: a missing or a stale one does not compile. */
export type Handlers<Operations, Ctx> = { [Id in keyof Operations]: Handler<Operations[Id], Ctx> };

/** A handler as the router calls it, its types checked where it was registered. */
export type AnyHandler<Ctx> = (ctx: Ctx, request: RequestOf<unknown>) => Promise<unknown>;

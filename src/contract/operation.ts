// Everything a handler's signature needs, derived from the generated `operations` interface.
import type { Readable } from 'node:stream';
import type { Settling, Unkept, Versioned } from './replies.ts';
import type { Download, SharedReply, StoredContent, Table } from '../results/results.ts';

type Content<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined;

/** What a request's body is told to be, whether it is JSON or comes in parts. */
type Told<T> = T extends { content: { 'multipart/form-data': infer Parts } }
  ? Omit<Parts, 'file'>
  : Content<T>;

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
  ? Told<Body>
  : Op extends { requestBody?: infer Body }
    ? [Exclude<Body, undefined>] extends [never]
      ? undefined
      : Content<Exclude<Body, undefined>> | undefined
    : undefined;

type StreamOf<Op> = Op extends { requestBody: { content: { 'application/octet-stream': unknown } } }
  ? Readable
  : undefined;

type FileOf<Op> = Op extends { requestBody: { content: { 'multipart/form-data': unknown } } }
  ? Readable
  : undefined;

/** The parts of a validated request. */
export interface RequestOf<Op> {
  path: Parameters<Op, 'path'>;
  query: Parameters<Op, 'query'>;
  headers: LowerCaseKeys<Parameters<Op, 'header'>>;
  body: BodyOf<Op>;
  /** How long the caller prefers to wait for the end of what they ask for. */
  waitSeconds: number;
  /** The version that `If-Match` names: what is changed must still have it. `null` unless one is named. */
  expectedVersion: number | null;
  /** The same, where versions are hashes of what is changed. */
  expectedHash: string | null;
  /** Whether the caller would rather have CSV, by `Accept` or by `format`; only where the contract offers it. */
  wantsCsv: boolean;
  /** The body's bytes as they came, where the contract says `x-raw-body`. */
  rawBody: Uint8Array | undefined;
  /** The body while it arrives, where the contract takes bytes. */
  bodyStream: StreamOf<Op>;
  /** The part `file` of the body while it arrives; what breaks off or is too large ends it with an error. */
  bodyFile: FileOf<Op>;
}

/** The body that the contract promises; `void` where it promises none. */
export type ReplyOf<Op> = [SuccessBody<Op>] extends [undefined] ? void : SuccessBody<Op>;

/** The names that a type spells out, without its index signature. */
type KnownKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type SuccessPart<Op, Part extends string> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & Success]: Responses[Status] extends Record<Part, infer Value>
        ? Value
        : never;
    }[keyof Responses & Success]
  : never;

/** Whether the contract promises that header. */
type HasHeader<Op, Name extends string> = Name extends KnownKeys<SuccessPart<Op, 'headers'>> ? true : false;

/** The media types of its success that are not JSON. */
type OtherTypes<Op> = [SuccessPart<Op, 'content'>] extends [never]
  ? never
  : Exclude<keyof SuccessPart<Op, 'content'>, 'application/json'>;

type ReplyStreamOf<Op> =
  'text/csv' extends OtherTypes<Op>
    ? Table<never>
    : [OtherTypes<Op>] extends [never]
      ? never
      : Download | StoredContent;

type JsonAnswer<Op> =
  HasHeader<Op, 'Cache-Control'> extends true
    ? SharedReply<ReplyOf<Op>>
    : HasHeader<Op, 'ETag'> extends true
      ? Versioned<ReplyOf<Op>>
      : ReplyOf<Op> | Settling<ReplyOf<Op>> | Unkept<ReplyOf<Op>>;

/** What a handler may answer: what the contract promises, and nothing else. */
export type Answer<Op> = JsonAnswer<Op> | ReplyStreamOf<Op>;

export type Handler<Op, Ctx> = (ctx: Ctx, request: RequestOf<Op>) => Promise<Answer<Op>>;

/** One handler for every operation but those of webhooks' receivers: a missing or a stale one does not compile. */
export type Handlers<Operations, Ctx> = {
  [Id in Exclude<keyof Operations, `receive${string}`>]: Handler<Operations[Id], Ctx>;
};

/** A handler as the router calls it, its types checked where it was registered. */
export type AnyHandler<Ctx> = (ctx: Ctx, request: RequestOf<unknown>) => Promise<unknown>;

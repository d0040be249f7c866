// Derives the types of a handler's signature from the generated `operations` interface.
import type { Readable } from 'node:stream';
import type { Settling, Unkept, Versioned, WithCookie } from './replies.ts';
import type { Download, EventStream, SharedReply, StoredContent, Table } from '../results/results.ts';

type Content<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined;

/** The declared content of a request body, JSON or multipart. */
type FormFieldsOf<T> = T extends { content: { 'multipart/form-data': infer Parts } }
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

/** Includes `undefined` if the contract makes the body optional; is `undefined` if the operation takes no body. */
type BodyOf<Op> = Op extends { requestBody: infer Body }
  ? FormFieldsOf<Body>
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
  cookies: Parameters<Op, 'cookie'>;
  body: BodyOf<Op>;
  /** How many seconds the caller prefers to wait for completion (`Prefer: wait`). */
  waitSeconds: number;
  /** The versions in `If-Match`, one of which the changed resource must still have; `null` if any will do. */
  expectedVersions: readonly number[] | null;
  /** As `expectedVersions`, for resources whose version is a content hash. */
  expectedHashes: readonly string[] | null;
  /** Whether the caller prefers CSV, by `Accept` or by `format`; only if the contract offers it. */
  wantsCsv: boolean;
  /** The raw bytes of the body, if the contract says `x-raw-body`. */
  rawBody: Uint8Array | undefined;
  /** The body as a stream, if the contract takes raw bytes. */
  bodyStream: StreamOf<Op>;
  /** The part `file` of the body as a stream. It ends with an error if the upload breaks off or is too large. */
  bodyFile: FileOf<Op>;
}

/** The body that the contract declares; `void` if it declares none. */
export type ReplyOf<Op> = [SuccessBody<Op>] extends [undefined] ? void : SuccessBody<Op>;

/** The names that a type declares explicitly, without its index signature. */
type KnownKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type SuccessPart<Op, Part extends string> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & Success]: Responses[Status] extends Record<Part, infer Value>
        ? Value
        : never;
    }[keyof Responses & Success]
  : never;

/** Whether the contract declares that response header. */
type HasHeader<Op, Name extends string> = Name extends KnownKeys<SuccessPart<Op, 'headers'>> ? true : false;

/** The media types of its success response other than JSON. */
type OtherTypes<Op> = [SuccessPart<Op, 'content'>] extends [never]
  ? never
  : Exclude<keyof SuccessPart<Op, 'content'>, 'application/json'>;

type ReplyStreamOf<Op> =
  'text/csv' extends OtherTypes<Op>
    ? Table<never>
    : 'text/event-stream' extends OtherTypes<Op>
      ? EventStream
      : [OtherTypes<Op>] extends [never]
        ? never
        : Download | StoredContent;

type JsonReply<Op> =
  HasHeader<Op, 'Cache-Control'> extends true
    ? SharedReply<ReplyOf<Op>>
    : HasHeader<Op, 'ETag'> extends true
      ? Versioned<ReplyOf<Op>>
      : HasHeader<Op, 'Set-Cookie'> extends true
        ? WithCookie<ReplyOf<Op>>
        : ReplyOf<Op> | Settling<ReplyOf<Op>> | Unkept<ReplyOf<Op>>;

/** What a handler may return: exactly what the contract declares. */
export type HandlerReply<Op> = JsonReply<Op> | ReplyStreamOf<Op>;

export type Handler<Op, Ctx> = (ctx: Ctx, request: RequestOf<Op>) => Promise<HandlerReply<Op>>;

/**
 * One handler for every operation except those of webhook receivers. A missing or superfluous handler does not compile.
 */
export type Handlers<Operations, Ctx> = {
  [Id in Exclude<keyof Operations, `receive${string}`>]: Handler<Operations[Id], Ctx>;
};

/** A handler as the router calls it, its types checked where it was registered. */
export type AnyHandler<Ctx> = (ctx: Ctx, request: RequestOf<unknown>) => Promise<unknown>;

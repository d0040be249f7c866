// Validates requests against the contract, and reads their bodies within limits.
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { DomainError } from '../errors.ts';
import { BodyFaults, maxSearchedBytes, oneForEachPlace } from './body-faults.ts';
import { BodyValidator } from './body-validator.ts';
import { largeBytes, parse, parseBytes, readBytes, refuseUnstorable } from './json-body.ts';
import type { Document, Operation } from './document.ts';
import { fileField, readParts } from './multipart.ts';
import { asDomainError } from './problem.ts';
import { Spool } from './spool.ts';
import {
  validatorsOf,
  type Area,
  type Middleware,
  type OperationNote,
  type Validators,
} from './validators.ts';

const multipart = 'multipart/form-data';

export interface ValidationOptions {
  /** Maximum bytes of a JSON body, or of a multipart file, unless the operation sets its own. */
  bodyLimit: number;
}

type NotedRequest = Request & { openapi?: OperationNote };

type RawRequest = Request & { rawBody?: Uint8Array; bodyBytes?: number };

type FileRequest = Request & { bodyFile?: Readable | undefined };

/** The raw bytes of the body, if its operation keeps them. */
export const rawBodyOf = (request: RawRequest): Uint8Array | undefined => request.rawBody;

/** The file of a multipart body. */
export const fileOf = (request: FileRequest): Readable | undefined => request.bodyFile;

export class Validation {
  readonly #options: ValidationOptions;
  readonly #validators: Validators;
  readonly #bodyValidator: BodyValidator;
  readonly #bodyFaults: BodyFaults;
  readonly #spool = new Spool();

  constructor(document: Document, options: ValidationOptions) {
    this.#options = options;
    this.#validators = validatorsOf(document);
    this.#bodyValidator = new BodyValidator(document);
    this.#bodyFaults = new BodyFaults(document);
  }

  /** Reads a JSON body, once, before anything else is known about the request. */
  async readJson(operation: Operation, request: Request, holder: string): Promise<void> {
    settleMediaType(operation, request);
    if (operation.bodyTypes.includes('application/json')) await this.#readJson(operation, request, holder);
  }

  /**
   * Checks the path, the query and the headers, and only then reads and checks the body, which counts against the
   * holder's share. Afterwards all values have the types of the contract.
   */
  async check(
    operation: Operation,
    { params, holder }: { params: Record<string, string>; holder: string },
    request: Request,
    response: Response,
  ): Promise<void> {
    settleMediaType(operation, request);
    refuseOddNumbers(operation, params, request);
    const area = this.#validators.area(operation);
    await this.#checkParameters(operation, area, params, request, response);
    await this.readJson(operation, request, holder);
    if (operation.bodyTypes.includes(multipart)) await this.#readParts(operation, request, response, holder);
    refuseMissingBody(operation, request);
    await this.#note(operation, area, params, request, response);
    await this.#checkBody(operation, area, request, response);
    refuseUnstorable(request.body);
    refuseUnstorable([request.params, request.query]);
  }

  /** A refusal lists all faults of the body if that is small. */
  async #checkBody(operation: Operation, area: Area, request: RawRequest, response: Response): Promise<void> {
    try {
      await run(area.check, request, response);
    } catch (thrown) {
      const refusal = asDomainError(thrown);
      const { bodyBytes } = request;
      if (refusal.code !== 'validation_failed' || bodyBytes === undefined || bodyBytes > maxSearchedBytes)
        throw thrown;
      const faults = [...(refusal.faults ?? []), ...this.#bodyFaults.find(operation, request.body)];
      throw new DomainError('validation_failed', refusal.message, {
        cause: thrown,
        faults: oneForEachPlace(faults),
      });
    }
  }

  /** Validates the parameters without the body. A second pass, with the body, follows if this one finds no fault. */
  async #checkParameters(
    operation: Operation,
    area: Area,
    params: Record<string, string>,
    request: NotedRequest,
    response: Response,
  ): Promise<void> {
    if (operation.bodyTypes.length === 0) return;
    await this.#note(operation, area, { ...params }, request, response);
    const { openapi } = request as NotedRequest & { openapi: OperationNote };
    const body: unknown = request.body;
    const type = request.headers['content-type'];
    // The validator caches compiled schemas by route and content type.
    delete request.headers['content-type'];
    request.body = undefined;
    // The validator replaces texts by typed values, which it would refuse as input in the second pass.
    Object.defineProperty(request, 'query', { value: request.query, writable: true, configurable: true });
    request.openapi = {
      ...openapi,
      expressRoute: `${openapi.expressRoute} without body`,
      schema: { ...openapi.schema, requestBody: undefined },
    };
    await run(area.check, request, response);
    if (type !== undefined) request.headers['content-type'] = type;
    request.body = body;
    delete (request as Partial<Request>).query;
  }

  async #readJson(operation: Operation, request: RawRequest, holder: string): Promise<void> {
    const { bodyLimit = this.#options.bodyLimit, keepsRawBody, checksummedField } = operation;
    if (request.readableEnded) return;
    // Computing a checksum takes much longer than parsing the same bytes.
    const threadAbove = checksummedField === undefined ? largeBytes : 0;
    const bytes = await readBytes(request, { maxBytes: bodyLimit, sharedAbove: threadAbove });
    if (bytes === undefined) return;
    if (bytes.byteLength > threadAbove) {
      await this.#bodyValidator.check(operation, { bytes, maxBytes: bodyLimit, holder });
      request.body = parse(bytes);
    } else request.body = parseBytes(bytes, bodyLimit);
    request.bodyBytes = bytes.byteLength;
    if (keepsRawBody) request.rawBody = Uint8Array.from(bytes);
  }

  /** The rest of the file is still arriving when the operation runs. */
  async #readParts(
    { bodyLimit = this.#options.bodyLimit, partNames }: Operation,
    request: FileRequest,
    response: Response,
    holder: string,
  ): Promise<void> {
    const { fields, file } = await readParts(request, response, {
      fields: partNames.filter((name) => name !== fileField),
      maxBytes: bodyLimit,
      spool: this.#spool,
      holder,
    });
    // The validator requires the file part to be present, and does not parse boundaries.
    request.body = file === undefined ? fields : { ...fields, [fileField]: '' };
    request.headers['content-type'] = multipart;
    request.bodyFile = file;
  }

  /** Passes the operation, which the router has already found, to the validator. */
  async #note(
    { id, path }: Operation,
    area: Area,
    params: Record<string, string>,
    request: NotedRequest,
    response: Response,
  ): Promise<void> {
    let note = area.notes.get(id);
    if (note === undefined) {
      const { method } = request;
      if (method === 'HEAD') request.method = 'GET';
      for (const step of area.find) await run(step, request, response);
      request.method = method;
      if (request.openapi?.openApiRoute !== path) throw new Error(`the validator does not know ${id}`);
      note = request.openapi;
      area.notes.set(id, note);
    }
    request.openapi = { ...note, pathParams: params };
    request.params = params;
  }
}

/**
 * Reduces the header to the media type, and drops it if the operation takes no body. The validator caches a compiled
 * schema for each content type, so callers must not be able to invent content types.
 */
function settleMediaType({ bodyTypes, requiresBody }: Operation, request: Request): void {
  // Compressed bodies are refused: a kilobyte could inflate to the limit, on the main thread.
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (bodyTypes.length > 0 && encoding.toLowerCase() !== 'identity')
    throw new DomainError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const given = type.trim() === '' ? undefined : type.trim();
  if (bodyTypes.length === 0) {
    delete request.headers['content-type'];
    return;
  }
  // A stream without bytes is an empty file, so only the media type shows that the body was not forgotten.
  const needsType = requiresBody && bodyTypes.includes('application/octet-stream');
  if (given === undefined && !hasBody(request) && !needsType) {
    request.headers['content-type'] = bodyTypes[0];
    return;
  }
  if (given === undefined || !bodyTypes.includes(given)) {
    throw new DomainError('unsupported_media_type', `Send the body as ${bodyTypes.join(' or ')}.`);
  }
  if (given === 'application/json' && parameters.some(isOtherCharset)) {
    throw new DomainError('unsupported_media_type', 'JSON is UTF-8 here.');
  }
  if (given === 'application/json') request.headers['content-type'] = given;
}

function isOtherCharset(parameter: string): boolean {
  const charset = /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(parameter)?.[1];
  return charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset);
}

const integer = /^-?(?:0|[1-9]\d*)$/;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The validator accepts as a number everything that JavaScript converts to one: `0x10`, `1e1`, a space. */
function refuseOddNumbers({ numbers }: Operation, params: Record<string, string>, { query }: Request): void {
  for (const { name, in: place, isInteger } of numbers) {
    const given = (place === 'query' ? query : params)[name];
    const texts = (Array.isArray(given) ? given : [given]) as unknown[];
    const isFine = (text: unknown) => typeof text !== 'string' || (isInteger ? integer : decimal).test(text);
    if (texts.every(isFine)) continue;
    const detail = `must be ${isInteger ? 'an integer' : 'a number'} in decimal digits`;
    throw new DomainError('validation_failed', `${place} /${name}: ${detail}`, {
      faults: [{ in: place, pointer: `/${name}`, detail }],
    });
  }
}

/** The validator accepts a missing body if all fields of the schema are optional. */
function refuseMissingBody({ requiresBody, bodyTypes }: Operation, { body }: Request): void {
  if (requiresBody && body === undefined && bodyTypes.includes('application/json'))
    throw new DomainError('validation_failed', 'body: has to be there', {
      faults: [{ in: 'body', pointer: '', detail: 'has to be there' }],
    });
}

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** Runs a middleware and waits for its `next`. */
async function run(step: Middleware, request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => {
      const fault = faultFrom(error);
      if (fault === undefined) resolve();
      else reject(fault);
    };
    Promise.resolve(step(request, response, next)).catch(reject);
  });
}

function faultFrom(error: unknown): Error | undefined {
  if (error === undefined || error === null) return undefined;
  return Error.isError(error) ? error : new Error('a middleware failed', { cause: error });
}

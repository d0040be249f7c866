// Validates requests against the contract: one express-openapi-validator per area, over that area's schemas only.
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import { DomainError } from '../errors.ts';
import { documentOfArea, type Document, type Operation } from './document.ts';

type Middleware = (request: Request, response: Response, next: NextFunction) => unknown;

export interface ValidationOptions {
  /** Also checks what handlers answer; for tests and development. */
  replies: boolean;
  /** Most bytes of a JSON body. */
  bodyLimit: number;
}

export class Validation {
  readonly #document: Document;
  readonly #options: ValidationOptions;
  readonly #areas = new Map<string, Middleware[]>();
  readonly #parseJson: Middleware;

  constructor(document: Document, options: ValidationOptions) {
    this.#document = document;
    this.#options = options;
    this.#parseJson = express.json({ limit: options.bodyLimit, type: () => true });
  }

  /** Reads the body and checks every part of the request; afterwards they have the types of the contract. */
  async check(operation: Operation, request: Request, response: Response): Promise<void> {
    settleMediaType(operation, request);
    if (operation.bodyTypes.includes('application/json')) await run(this.#parseJson, request, response);
    for (const step of this.#area(operation.area)) await run(step, request, response);
  }

  #area(area: string): Middleware[] {
    let steps = this.#areas.get(area);
    if (steps === undefined) {
      steps = middleware({
        apiSpec: structuredClone(documentOfArea(this.#document, area)) as never,
        validateApiSpec: false,
        validateSecurity: false,
        validateRequests: { allowUnknownQueryParameters: false },
        validateResponses: this.#options.replies,
        fileUploader: false,
      }) as Middleware[];
      this.#areas.set(area, steps);
    }
    return steps;
  }
}

/**
 * Leaves only the media type itself in the header, and only where the operation takes a body: the validator keeps a
 * compiled schema for each content type that it meets, so a caller must not be able to invent them.
 */
function settleMediaType({ bodyTypes }: Operation, request: Request): void {
  const given = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (bodyTypes.length === 0) {
    delete request.headers['content-type'];
    return;
  }
  if (given === undefined && !hasBody(request)) {
    request.headers['content-type'] = bodyTypes[0];
    return;
  }
  if (given === undefined || !bodyTypes.includes(given)) {
    throw new DomainError('unsupported_media_type', `Send the body as ${bodyTypes.join(' or ')}.`);
  }
  if (given === 'application/json') request.headers['content-type'] = given;
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Runs a middleware and waits for its `next`. */
async function run(step: Middleware, request: Request, response: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(error instanceof Error ? error : new Error(String(error)));
    };
    Promise.resolve(step(request, response, next)).catch(reject);
  });
}

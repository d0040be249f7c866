// The compiled validators of a document: one express-openapi-validator per area and variant, over its schemas only.
import type { NextFunction, Request, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { formats } from '../values/formats.ts';
import type { Document, Operation } from './document.ts';
import { documentOfValidator } from './reduced-document.ts';
import { withChoices } from './unions.ts';

export type Middleware = (request: Request, response: Response, next: NextFunction) => unknown;

/** What the validator stores about a request's operation before it validates the request. */
export interface OperationNote {
  openApiRoute: string;
  expressRoute: string;
  schema: object;
  pathParams: Record<string, string>;
}

/** The validator's steps that the router uses; not its routing and security. */
export interface Area {
  /** Finds the operation by trying every path; run once per operation. */
  find: Middleware[];
  check: Middleware;
  /** What `find` stored, by operation ID. */
  notes: Map<string, OperationNote>;
}

/** The areas of a document, each compiled when the first request needs it. */
export class Validators {
  readonly #document: Document;
  readonly #areas = new Map<string, Area>();

  constructor(document: Document) {
    this.#document = document;
  }

  area(operation: Pick<Operation, 'validator' | 'variant'>): Area {
    const name = [operation.validator, operation.variant?.value ?? []].flat().join('/');
    let area = this.#areas.get(name);
    if (area === undefined) {
      area = this.#compile(operation);
      this.#areas.set(name, area);
    }
    return area;
  }

  #compile(operation: Pick<Operation, 'validator' | 'variant'>): Area {
    const steps = middleware({
      apiSpec: withChoices(documentOfValidator(this.#document, operation)) as never,
      validateApiSpec: false,
      validateSecurity: false,
      validateRequests: { allowUnknownQueryParameters: false },
      formats: Object.fromEntries(
        Object.entries(formats).map(([format, validate]) => [format, { validate, type: 'string' }]),
      ) as never,
      fileUploader: false,
    }) as Middleware[];
    const named = (stepName: string) => {
      const step = steps.find((candidate) => candidate.name === stepName);
      if (step === undefined) throw new Error(`express-openapi-validator has no step ${stepName}`);
      return step;
    };
    return {
      find: [named('pathParamsMiddleware'), named('metadataMiddleware')],
      check: named('requestMiddleware'),
      notes: new Map(),
    };
  }
}

const ofDocument = new WeakMap<Document, Validators>();

/** The document's validators. Servers of one process share them, because compiling takes much longer than checking. */
export function validatorsOf(document: Document): Validators {
  const known = ofDocument.get(document) ?? new Validators(document);
  ofDocument.set(document, known);
  return known;
}

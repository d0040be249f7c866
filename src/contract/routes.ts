// Finds the operation of a request by its path and method. The cost does not grow with the contract.
import type { Request, Response } from 'express';
import createTrie from 'find-my-way';
import { DomainError } from '../errors.ts';
import { operationsOf, type Document, type Operation } from './document.ts';
import type { AnyHandler } from './operation.ts';

interface Route<Ctx> {
  operation: Operation;
  handler: AnyHandler<Ctx>;
}

/** Node limits the head of a request to this; the schema of a value limits its length. */
const maxPathLength = 16_384;

/** By method. */
type RoutesOfPath<Ctx> = Map<string, Route<Ctx>>;

export interface FoundPath<Ctx> {
  routes: RoutesOfPath<Ctx>;
  params: Record<string, string>;
}

export interface FoundRoute<Ctx> extends Route<Ctx> {
  params: Record<string, string>;
}

/** Throws if an operation has no handler, or a class of limits that does not exist. */
export class Routes<Ctx> {
  // Matches paths alone: static paths precede parameterized ones, regardless of their methods.
  readonly #paths = createTrie({
    ignoreTrailingSlash: false,
    caseSensitive: true,
    maxParamLength: maxPathLength,
  });

  constructor(
    document: Document,
    handlers: Readonly<Record<string, unknown>>,
    limits: { has: (name: string) => boolean } | undefined,
  ) {
    const routes = new Map<string, RoutesOfPath<Ctx>>();
    for (const operation of operationsOf(document)) {
      const handler = handlers[operation.id];
      if (typeof handler !== 'function') throw new Error(`the operation ${operation.id} has no handler`);
      if (limits?.has(operation.rateLimit) === false)
        throw new Error(`${operation.id}: there is no class ${operation.rateLimit} of limits`);
      const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
      const known = routes.get(path);
      const ofPath = known ?? new Map<string, Route<Ctx>>();
      if (known === undefined) this.#paths.on('GET', path, () => undefined, ofPath);
      ofPath.set(operation.method.toUpperCase(), { operation, handler: handler as AnyHandler<Ctx> });
      routes.set(path, ofPath);
    }
  }

  /** Throws if the path cannot be decoded. A path with an empty parameter, such as one that ends in a slash, is unknown. */
  find(path: string): FoundPath<Ctx> | undefined {
    const found = this.#paths.find('GET', path);
    if (found === null) return undefined;
    const params = found.params as Record<string, string>;
    if (Object.values(params).includes('')) return undefined;
    return { routes: found.store as RoutesOfPath<Ctx>, params };
  }
}

/** The route of the method; without one, names the methods of the path in `Allow` and throws. */
export function routeOf<Ctx>(
  { routes, params }: FoundPath<Ctx>,
  request: Request,
  response: Response,
): FoundRoute<Ctx> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = routes.get(method);
  if (route !== undefined) return { ...route, operation: variantOf(route.operation, params), params };
  const allowed = [...routes.keys()].flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  response.setHeader('Allow', allowed.join(', '));
  throw new DomainError('method_not_allowed', `This path takes ${allowed.join(', ')}.`);
}

/** For an unknown value, the first variant: its validator refuses the value. */
function variantOf(operation: Operation, params: Readonly<Record<string, string>>): Operation {
  if (operation.variants === undefined) return operation;
  const { parameter, byValue } = operation.variants;
  const [first = operation] = byValue.values();
  return byValue.get(params[parameter] ?? '') ?? { ...first, security: operation.security };
}

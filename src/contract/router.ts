// Routes a request to its operation: security, validation, handler, reply. Cost does not grow with the contract.
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { DomainError, notFound } from '../errors.ts';
import { readCookies, refuseOtherOrigins } from './cookies.ts';
import { announceDeprecation } from './deprecation.ts';
import type { Document, Operation } from './document.ts';
import type { RequestOf } from './operation.ts';
import { Problems, type ProblemTable } from './problem.ts';
import { applyRateLimits, type RateLimits } from './rate-limit-replies.ts';
import { endOf, SharedReplies } from './replies.ts';
import { replyValidatorOf } from './reply-validator.ts';
import { partsOf } from './request-parts.ts';
import { routeOf, Routes, type FoundPath, type FoundRoute } from './routes.ts';
import { bringsCredentials, Security, type SecurityOptions, type Sender } from './security.ts';
import { send } from './send.ts';
import { cutOffUnread } from './unread-body.ts';
import { Validation } from './validation.ts';

/** Stores replies of requests with an `Idempotency-Key`, and replays them. */
export interface Idempotency<Principal> {
  /**
   * Runs `handle` and stores its reply in the same transaction. If the same principal repeats the request with the same
   * key, returns the stored reply instead. The returned reply is settled.
   */
  handleOnce(
    operation: Operation,
    principal: Principal,
    request: RequestOf<unknown>,
    handle: () => Promise<unknown>,
  ): Promise<unknown>;
}

/** What is known about a request besides its caller. */
export interface Envelope {
  requestId: string;
  /** Address that the request came from. */
  source: string;
  /** The program that sent the request, as it calls itself; null if it does not. */
  userAgent: string | null;
  /** Whether owners of revoked licenses may call the operation, too. */
  allowsRevoked: boolean;
}

export interface ContractOptions<Principal, Ctx> {
  document: Document;
  handlers: Readonly<Record<string, unknown>>;
  problems: ProblemTable;
  security: SecurityOptions<Principal>;
  createContext: (principal: Principal, envelope: Envelope) => Ctx;
  /** Runs the work of a request, including its Idempotency-Key handling. */
  run: (ctx: Ctx, operation: Operation, work: () => Promise<unknown>) => Promise<unknown>;
  idempotency: Idempotency<Principal> | undefined;
  /** The holder whose share of the large-request budget counts; the source address unless given. */
  holderOf?: (principal: Principal, source: string) => string;
  /** Without it, requests are not counted. */
  limits: RateLimits<Principal> | undefined;
  /** Also checks handlers against the contract: their replies and their problem codes. */
  validateReplies: boolean;
  /** Reports the use of a deprecated operation. */
  onDeprecatedUse?: (operation: Operation, principal: Principal) => void;
  bodyLimit: number;
  log: Logger;
}

export interface ContractRouter {
  /**
   * Serves every operation of the document. Another method of a known path gets a 405; unknown paths go to the next
   * handler.
   */
  serve: RequestHandler;
  /** Responds with a 404 problem to every request that no handler has served. */
  refuse: RequestHandler;
  /** Responds with a problem when a handler has thrown, or when a path cannot be decoded. */
  refuseFailed: ErrorRequestHandler;
}

export function createContractRouter<Principal, Ctx>(
  options: ContractOptions<Principal, Ctx>,
): ContractRouter {
  const { document, createContext, idempotency, limits, log } = options;
  const routes = new Routes<Ctx>(document, options.handlers, limits);
  const problems = new Problems(options.problems);
  const security = new Security(document, options.security);
  const validation = new Validation(document, { bodyLimit: options.bodyLimit });
  const replies = options.validateReplies ? replyValidatorOf(document) : undefined;

  const shared = new SharedReplies();

  async function serve(path: FoundPath<Ctx>, request: Request, response: Response): Promise<void> {
    const about = aboutOf(request, response);
    cutOffUnread(request, response);
    try {
      const route = routeOf(path, request, response);
      await respond(route, request, response, about.requestId).catch((error: unknown) =>
        problems.send(response, error, {
          ...about,
          ...(options.validateReplies && { operation: route.operation }),
        }),
      );
    } catch (error) {
      problems.send(response, error, about);
    }
  }

  const aboutOf = ({ path }: Request, response: Response) => ({
    requestId: String(response.getHeader('X-Request-Id')),
    path,
    log,
  });

  async function respond(
    { operation, handler, params }: FoundRoute<Ctx>,
    request: Request,
    response: Response,
    requestId: string,
  ): Promise<void> {
    if (operation.isSameOrigin) refuseOtherOrigins(request);
    if (operation.takesCookies) readCookies(request);
    const source = request.ip ?? '';
    const sender = { headers: request.headers, source };
    const bodyCredential = await credentialIn(operation, sender, request, response);
    if (operation.deprecation !== undefined) announceDeprecation(response, operation.deprecation);
    const principal = await identify(operation, { ...sender, bodyCredential }, response);
    if (operation.deprecation !== undefined) options.onDeprecatedUse?.(operation, principal);
    if (limits !== undefined) applyRateLimits(response, await limits.admit(operation, principal, source));
    const kept = options.validateReplies ? undefined : shared.at(operation, request.originalUrl);
    const holder = options.holderOf?.(principal, source) ?? source;
    if (kept === undefined) await validation.check(operation, { params, holder }, request, response);
    await security.confirm(principal, operation);
    const counted = await limits?.count(operation, principal, { source, body: request.body as unknown });
    if (counted !== undefined) applyRateLimits(response, counted.counts);
    if (kept !== undefined) {
      await send(operation, request, response, kept, undefined);
      return;
    }
    const ctx = createContext(principal, {
      requestId,
      source,
      userAgent: request.headers['user-agent'] ?? null,
      allowsRevoked: operation.allowsRevoked,
    });
    const parts = partsOf(operation, request);
    const handle = () => handler(ctx, parts);
    const reply = await options.run(ctx, operation, async () =>
      operation.takesIdempotencyKey && idempotency !== undefined
        ? idempotency.handleOnce(operation, principal, parts, handle)
        : endOf(await handle(), log),
    );
    await counted?.succeeded();
    shared.keep(operation, request.originalUrl, reply);
    await send(operation, request, response, reply, replies);
  }

  /**
   * An unreadable body counts as no credential: unauthenticated callers do not learn what is wrong with it. Reading it
   * counts as a credential check.
   */
  async function credentialIn(
    operation: Operation,
    sender: Sender,
    request: Request,
    response: Response,
  ): Promise<string | undefined> {
    const { credentialField } = operation;
    if (credentialField === undefined || bringsCredentials(sender)) return undefined;
    const failures = await limits?.failuresOf(sender.source);
    if (failures !== undefined) applyRateLimits(response, [failures.count]);
    await validation.readJson(operation, request, sender.source).catch(noop);
    const value = (request.body as Record<string, unknown> | null | undefined)?.[credentialField];
    if (typeof value === 'string') return value;
    await failures?.add();
    return undefined;
  }

  /** A source with too many invalid credentials is refused without a check: checking costs more than sending. */
  async function identify(operation: Operation, sender: Sender, response: Response): Promise<Principal> {
    if (limits === undefined || operation.security.length === 0 || !bringsCredentials(sender))
      return security.authorize(sender, operation);
    const failures = await limits.failuresOf(sender.source);
    applyRateLimits(response, [failures.count]);
    try {
      return await security.authorize(sender, operation);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthorized') await failures.add();
      throw error;
    }
  }

  return {
    serve: (request, response, next) => {
      const path = routes.find(request.path);
      if (path === undefined) next();
      else void serve(path, request, response);
    },
    refuse: (request, response) => {
      cutOffUnread(request, response);
      problems.send(response, notFound('path'), aboutOf(request, response));
    },
    refuseFailed: (error: unknown, request, response, next) => {
      if (response.headersSent) {
        next(error);
        return;
      }
      cutOffUnread(request, response);
      problems.send(
        response,
        error instanceof URIError ? notFound('path') : error,
        aboutOf(request, response),
      );
    },
  };
}

function noop(): void {}

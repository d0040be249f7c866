// The manager's Express app: gate, pages, documentation and all operations of its contract. It does not listen.
import { resolve } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { createDocsRouter } from '../../src/contract/docs.ts';
import { csharp } from '../../src/contract/reference/samples/csharp.ts';
import type { Document } from '../../src/contract/document.ts';
import { accessLog, constantHeaders, requestId } from '../../src/contract/request-entry.ts';
import { Problems } from '../../src/contract/problem.ts';
import { createContractRouter } from '../../src/contract/router.ts';
import type { Credentials } from '../../src/contract/security.ts';
import { unauthorized } from '../../src/errors.ts';
import type { Ctx, Principal } from './handlers/handlers.ts';
import { handlers } from './handlers/index.ts';
import { isBundled, readOwnFile } from './own-files.ts';
import { createBundledDocs } from './pages/bundled-pages.ts';
import { createPagesRouter, sendFollowedLink } from './pages/pages.ts';
import { problems } from './problems.ts';
import { tokenHeader, type Gate } from './security/gate.ts';
import type { Services } from './services.ts';

const contractDocument = JSON.parse(
  readOwnFile('generated/local-manager.openapi.json').toString('utf8'),
) as Document;
const bodyLimit = 256 * 1024;

export interface AppDependencies {
  services: Services;
  gate: Gate;
  log: Logger;
  /** Also validates handlers' replies against the contract. */
  validateReplies: boolean;
}

export function createApp({ services, gate, log, validateReplies }: AppDependencies): Express {
  const operations = createContractRouter<Principal, Ctx>({
    document: contractDocument,
    handlers: { ...handlers },
    problems,
    security: {
      schemes: {
        session: async (credentials: Credentials) =>
          holder(gate.isSession(credentials.cookie(gate.cookieName))),
        token: async (credentials: Credentials) => holder(gate.isToken(credentials.header(tokenHeader))),
      },
      authorize: () => undefined,
      anonymous: { kind: 'anonymous' },
    },
    createContext: (_principal, envelope) => ({ services, requestId: envelope.requestId }),
    run: (_ctx, _operation, work) => work(),
    idempotency: undefined,
    limits: undefined,
    validateReplies,
    bodyLimit,
    log,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestId);
  app.use(accessLog(log, () => undefined));
  app.use(hardening);
  app.use(gateKeeper(gate, services, log));
  app.use(operations.serve);
  app.use(createPagesRouter(gate));
  app.use(onlyKnown(gate, isBundled ? createBundledDocs() : createReference(gate)));
  app.use(operations.refuse);
  app.use(operations.refuseFailed);
  return app;
}

/** The documentation of the contract, with its search and its samples. */
function createReference(gate: Gate): RequestHandler {
  const generated = resolve(import.meta.dirname, '../../generated');
  return createDocsRouter({
    document: contractDocument,
    problems,
    documents: [
      {
        path: '/api/openapi',
        title: 'OpenAPI 3.1',
        file: resolve(generated, 'local-manager.openapi-3.1.json'),
      },
      {
        path: '/api/openapi-3.0',
        title: 'OpenAPI 3.0, for generators without 3.1',
        file: resolve(generated, 'local-manager.openapi-3.0.json'),
      },
    ],
    messages: [
      {
        path: '/api/asyncapi/local-manager-events',
        title: 'AsyncAPI of the operations socket',
        file: resolve(generated, 'local-manager-events.asyncapi.json'),
      },
    ],
    languages: [csharp],
    baseUrl: () => gate.url,
    isReadableElsewhere: false,
  });
}

/** Allows the page's own files and its socket only. */
const hardening = constantHeaders(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: false,
  }),
);

/** Refuses requests from elsewhere, and writes requests that may change something to the audit log. */
function gateKeeper(gate: Gate, services: Services, log: Logger): RequestHandler {
  const sender = new Problems(problems);
  return (request, response, next) => {
    const id = String(response.getHeader('X-Request-Id'));
    const { method, path } = request;
    const refused = gate.refusalOf(request);
    if (refused !== undefined) {
      const { host, origin } = request.headers;
      services.audit.add({ event: 'refused', method, path, host, origin, requestId: id });
      if (gate.isFollowedLink(request)) sendFollowedLink(response);
      else sender.send(response, refused, { requestId: id, path, log });
      return;
    }
    const isChange = method !== 'GET' && method !== 'HEAD';
    // A caller that disconnects before the response may have changed something as well.
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : null;
      if (isChange || status === 401)
        services.audit.add({
          event: status === 401 ? 'refused' : 'request',
          method,
          path,
          status,
          requestId: id,
        });
    });
    next();
  };
}

const onlyKnown =
  (gate: Gate, router: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if (gate.knows(request)) router(request, response, next);
    else next();
  };

async function holder(isKnown: boolean): Promise<Principal> {
  if (!isKnown) throw unauthorized();
  return { kind: 'holder' };
}

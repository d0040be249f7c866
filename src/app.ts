// The Express app: health, documentation and every operation of the contract. It does not listen.
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { platformDocument, publishedContractFile } from './platform-contract/document-file.ts';
import { anonymous, type Contexts, type Principal } from './context.ts';
import type { Document } from './contract/document.ts';
import { accessLog, hardening, requestId, requireHost } from './contract/request-entry.ts';
import { allowOrigins } from './contract/origins.ts';
import { applyRateLimits, type RateLimits } from './contract/rate-limit-replies.ts';
import { createContractRouter } from './contract/router.ts';
import type { SecurityOptions } from './contract/security.ts';
import type { HandlerContext } from './handlers/handlers.ts';
import { handlers } from './handlers/index.ts';
import { viewStore } from './handlers/public-store.ts';
import { createHealthRouter } from './process/health.ts';
import type { Metrics } from './process/metrics.ts';
import { earlyAccessPage } from './pages/early-access.ts';
import { reportAbsence } from './pages/panel/absence.ts';
import { entryPaths, type Panel } from './pages/panel/index.ts';
import { createCollectionsRouter } from './pages/collections.ts';
import { createInstallRouter } from './pages/install.ts';
import { createReference } from './pages/reference.ts';
import { statusPage } from './pages/status.ts';
import { serveStore } from './pages/store/index.ts';
import { problems } from './platform-contract/problems.ts';
import { networkOf } from './network/ip-networks.ts';
import type { Readiness } from './process/readiness.ts';
import type { DeprecatedUses } from './services/auth/deprecated-uses.ts';
import type { Services } from './services/index.ts';
import type { AgentRelease } from './agent-release/agent-release.ts';
import type { IdempotencyKeys } from './idempotency/stored-replies.ts';

/** Maximum bytes of a JSON body. */
const bodyLimit = 1024 * 1024;

export interface AppDependencies {
  contexts: Contexts;
  services: Services;
  security: SecurityOptions<Principal>;
  idempotency: IdempotencyKeys;
  limits: RateLimits<Principal>;
  metrics: Metrics;
  deprecatedUses: DeprecatedUses;
  /** Origins whose web pages may call the API. */
  corsOrigins: readonly string[];
  /** The number or the addresses of trusted proxies in front; they decide whose `X-Forwarded-For` counts. */
  trustProxy: number | readonly string[];
  log: Logger;
  /** Also validates handlers' replies against the contract. */
  validateReplies: boolean;
  readiness: Readiness;
  /** The web panel that is served here. */
  panel: Panel | undefined;
  /** Another web panel, if the operator runs one. */
  panelUrl: string | undefined;
  /** The release of the agent that hosts install. */
  agentRelease: AgentRelease;
  /** The address at which callers reach this platform. */
  publicUrl: () => string;
  /** A contract other than the platform's own, for measurements. */
  contract?: Contract;
}

export interface Contract {
  document: Document;
  handlers: Readonly<Record<string, unknown>>;
}

export function createApp(dependencies: AppDependencies): Express {
  const { contexts, services, metrics, deprecatedUses, panel, log } = dependencies;
  const contract = dependencies.contract ?? {
    document: platformDocument(),
    handlers: { ...handlers },
  };
  const operations = createContractRouter<Principal, HandlerContext>({
    ...contract,
    problems,
    security: dependencies.security,
    createContext: (principal, envelope) =>
      Object.assign(contexts.forRequest(principal, envelope), { services }),
    run: (ctx, { id, method }, work) =>
      method === 'get' ? contexts.run(ctx, id, work) : contexts.runChanging(ctx, id, work),
    idempotency: dependencies.idempotency,
    limits: dependencies.limits,
    holderOf: ({ license }, source) => license?.id ?? networkOf(source),
    validateReplies: dependencies.validateReplies,
    bodyLimit,
    onDeprecatedUse: ({ id: operation }, { actor }) => {
      metrics.deprecatedRequests.inc({ operation });
      if (actor?.kind === 'api_key' && actor.id !== null) deprecatedUses.record(actor.id, operation);
      const by = actor === null ? null : { kind: actor.kind, id: actor.id };
      log.info({ operation, actor: by }, 'a deprecated operation was used');
    },
    log,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', dependencies.trustProxy);
  app.use(requestId);
  app.use(accessLog(log, (method, status, seconds) => metrics.requests.observe({ method, status }, seconds)));
  app.use(hardening);
  app.use(requireHost);
  app.use(allowOrigins(dependencies.corsOrigins));
  app.use(operations.serve);
  app.use(createHealthRouter(dependencies));
  const { panelUrl } = dependencies;
  if (panelUrl !== undefined)
    app.get('/', (_request, response) =>
      response.setHeader('Cache-Control', 'no-store').redirect(302, panelUrl),
    );
  if (panel !== undefined) app.get('/assets/:name', panel.asset).get(entryPaths, panel.page);
  app.get(entryPaths, reportAbsence);
  app.use(createInstallRouter(dependencies.agentRelease, dependencies.publicUrl));
  app.get('/early-access', earlyAccessPage);
  app.get(['/status', '/status/:subdomain'], statusPage);
  app.get('/store/:subdomain', storePages(dependencies));
  app.use(createReference(contract.document, dependencies.publicUrl));
  app.use(createCollectionsRouter(publishedContractFile, dependencies.publicUrl));
  if (panel !== undefined) app.use(panel.page);
  app.use(operations.refuse);
  app.use(operations.refuseFailed);
  return app;
}

/** Requests are counted like API requests, and data is read in the same way as by the operations. */
function storePages({ services, limits, log }: AppDependencies): RequestHandler {
  return serveStore({
    count: async ({ ip: source = '' }, response) => {
      const counts = await limits.admit({ rateLimit: 'public-store' }, anonymous, source);
      applyRateLimits(response, counts);
    },
    find: (subdomain) => services.publicStores.get(subdomain, viewStore),
    successorOf: (subdomain) => services.publicStores.successorOf(subdomain),
    findOrder: (subdomain, orderId) => services.purchases.get(subdomain, orderId),
    log,
  });
}

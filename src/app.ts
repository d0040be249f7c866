// The Express app: health, documentation and every operation of the contract. It does not listen.
import { resolve } from 'node:path';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { anonymous, Ctx, licenseRequired, licenseRevoked, type Principal } from './context.ts';
import { createDocsRouter } from './contract/docs.ts';
import { readDocument, type Document } from './contract/document.ts';
import { accessLog, hardening, requestId } from './contract/edge.ts';
import { createContractRouter } from './contract/router.ts';
import { bearerToken, type SchemeHandlers } from './contract/security.ts';
import type { TenantScope } from './database/tenant-scope.ts';
import { DomainError } from './errors.ts';
import { handlers } from './handlers/index.ts';
import type { Metrics } from './metrics.ts';
import type { AccessTokens } from './services/auth/access-tokens.ts';
import type { Principals } from './services/auth/principals.ts';
import type { IdempotencyKeys } from './services/idempotency.ts';
import type { Services } from './services/index.ts';
import { grants } from './services/permissions.ts';
import { setupPage } from './setup-page.ts';

const generated = resolve(import.meta.dirname, '../generated');
const documentFile = resolve(generated, 'platform.openapi.json');

/** Most bytes of a JSON body. */
const bodyLimit = 1024 * 1024;

export interface AppDependencies {
  services: Services;
  tenant: TenantScope;
  tokens: AccessTokens;
  principals: Principals;
  idempotency: IdempotencyKeys;
  metrics: Metrics;
  log: Logger;
  /** Checks what handlers answer against the contract too. */
  validateReplies: boolean;
  /** Throws unless the platform can serve requests. */
  checkReady: () => Promise<void>;
  /** Another contract than the platform's own, for measurements. */
  contract?: Contract;
}

export interface Contract {
  document: Document;
  handlers: Readonly<Record<string, unknown>>;
}

export function createApp(dependencies: AppDependencies): Express {
  const { services, tenant, metrics, log } = dependencies;
  const contract = dependencies.contract ?? {
    document: readDocument(documentFile),
    handlers: { ...handlers },
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestId);
  app.use(accessLog(log, (method, status, seconds) => metrics.requests.observe({ method, status }, seconds)));
  app.use(hardening);
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    await dependencies.checkReady().then(
      () => response.json({ status: 'ready' }),
      (error: unknown) => {
        log.warn({ err: error }, 'not ready');
        response.status(503).json({ status: 'not ready' });
      },
    );
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.get('/setup', setupPage);
  app.use(
    createDocsRouter({
      title: 'Gantry API',
      document: documentFile,
      document30: resolve(generated, 'platform.openapi-3.0.json'),
    }),
  );
  app.use(
    createContractRouter<Principal, Ctx>({
      ...contract,
      schemes: createSchemes(dependencies),
      anonymous,
      createContext: (principal, envelope) => new Ctx(principal, envelope, services, tenant),
      idempotency: dependencies.idempotency,
      validateReplies: dependencies.validateReplies,
      bodyLimit,
      log,
    }),
  );
  return app;
}

/** Who may call, by the security schemes of the contract. */
function createSchemes({ tokens, principals, services }: AppDependencies): SchemeHandlers<Principal> {
  return {
    async bearerAuth(request, permissions) {
      const user = await principals.find(await tokens.verify(request));
      if (permissions.length === 0) return user;
      if (user.license === null) throw licenseRequired();
      if (user.license.isRevoked) throw licenseRevoked();
      const held = user.license.permissions;
      const missing = permissions.filter((permission) => !grants(held, permission));
      if (missing.length > 0)
        throw new DomainError('forbidden', `This needs the permission ${missing.join(', ')}.`);
      return user;
    },
    async superAdmin(request) {
      const user = await principals.find(await tokens.verify(request));
      if (!user.isSuperAdmin) throw new DomainError('forbidden', 'This is for super admins of the platform.');
      return user;
    },
    async companionToken(request) {
      return { kind: 'companion', licenseId: await services.agents.licenseOfToken(bearerToken(request)) };
    },
  };
}

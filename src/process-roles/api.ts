// The role `api`: serves HTTP requests and carries consoles over WebSockets.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Express, Request } from 'express';
import { createApp } from '../app.ts';
import { BusRelay, busPath } from '../bus/websocket-relay.ts';
import { asksForWebSocket, serveUpgrades, type Upgrade, type UpgradeRefusal } from '../contract/upgrades.ts';
import { refuseUnparsed } from '../contract/unparsed-requests.ts';
import { Panel } from '../pages/panel/index.ts';
import { Draining } from '../process/drain.ts';
import { addressOf, listen, timeLimits, watchBodies } from '../process/http-listener.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Closers, PlatformOptions } from './options.ts';
import { hasUsers } from '../services/auth/first-user.ts';
import { LicenseKeys } from '../services/auth/license-keys.ts';
import { ResellerKeys } from '../services/auth/reseller-keys.ts';
import { createSecurity } from '../handlers/security-schemes.ts';
import { startConsoleGateway } from '../sockets/console-gateway.ts';
import { filesPath, startDataGateway } from '../sockets/data-gateway.ts';
import { IdempotencyKeys } from '../idempotency/stored-replies.ts';
import { Accounts } from '../rate-limits/accounts.ts';
import { Limiter } from '../rate-limits/limiter.ts';
import { problems } from '../platform-contract/problems.ts';
import { networkOf } from '../network/ip-networks.ts';
import { UpgradeLimits } from '../rate-limits/upgrade-limits.ts';
import { nextSecrets, reportUnreadableSecrets } from '../services/webhooks/unreadable-secrets.ts';
import { naming } from '../process/environment.ts';
import type { Parts } from './parts.ts';

const unreadableSecretsCheckMs = 3_600_000;

/** Defaults without settings: no drain time, because there is no load balancer, and ten seconds for requests. */
const defaultStopping = { drainMs: 0, requestsMs: 10_000 };

/** Returns a function that stops the service, within the times of the options plus a few seconds for sockets. */
export async function runApi(
  parts: Parts,
  options: PlatformOptions,
  closers: Closers,
): Promise<() => Promise<void>> {
  const { apiKeys, bus, changes, contexts, database, metrics, monitor, platform, principals } = parts;
  const { readiness, services, tokens } = parts;
  const { log } = options;
  const app = createApp({
    contexts,
    services,
    security: createSecurity({
      tokens,
      principals,
      stepUps: services.stepUps,
      apiKeys,
      agents: services.agents,
      licenseKeys: new LicenseKeys(platform),
      resellerKeys: new ResellerKeys(platform),
    }),
    idempotency: new IdempotencyKeys(platform, log),
    limits: new Limiter({
      pool: database.pool,
      accounts: new Accounts(platform),
      factor: options.rateLimitFactor ?? 1,
    }),
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? 0,
    metrics,
    deprecatedUses: parts.deprecatedUses,
    log,
    validateReplies: options.validateReplies,
    ...(options.contract && { contract: options.contract }),
    readiness,
    agentRelease: parts.agentRelease,
    panel: options.panel && new Panel(options.panel, { isSetUp: () => hasUsers(platform) }, log),
    panelUrl: options.panelUrl,
    publicUrl: parts.publicUrl,
  });
  const server = createServer(
    { ...timeLimits, requireHostHeader: false, shouldUpgradeCallback: asksForWebSocket },
    app,
  );
  refuseUnparsed({ server, problems, log });
  metrics.watchEventStreams(() => services.eventStreams.openCount);
  const draining = new Draining(server);
  watchBodies(server);
  const limits = new UpgradeLimits(options.rateLimitFactor ?? 1);
  const consoles = startConsoleGateway({
    limits,
    tickets: services.console,
    principals,
    changes,
    bus,
    metrics,
    monitor,
    log,
  });
  const dataConnections = startDataGateway(services.dataConnections, limits);
  const relay = new BusRelay({ url: options.bus.url, log });
  if (!bus.isGuarded)
    log.warn({ path: busPath }, 'agents are not relayed to a bus that checks no credentials');
  serveUpgrades({
    server,
    take: async (upgrade) => {
      const source = sourceOf(app, upgrade.request);
      const path = upgrade.request.url?.split('?')[0];
      if (path === busPath) return takeAgent(upgrade, source);
      return (path === filesPath ? dataConnections : consoles).take(upgrade, source);
    },
    log,
  });

  async function takeAgent(upgrade: Upgrade, source: string): Promise<UpgradeRefusal | undefined> {
    // Relaying a bus without credential checks would give every client of this port full access to it.
    if (!bus.isGuarded) return { code: 'not_found' };
    const { retryAfterSeconds } = await limits.admit('agent-bus', source);
    if (retryAfterSeconds !== undefined) return { code: 'rate_limited', retryAfterSeconds };
    const refund = () => void limits.refund('agent-bus', source);
    const refusal = await relay.take(upgrade, networkOf(source), refund);
    if (refusal?.code === 'rate_limited') refund();
    return refusal;
  }

  await naming('HOST or PORT', listen(server, options.host, options.port));
  closers.push(
    startPeriodic({
      name: 'look for unreadable secrets',
      everyMs: unreadableSecretsCheckMs,
      work: () =>
        reportUnreadableSecrets({
          ...parts,
          next: (last, max) => parts.platform.read('health', (queries) => nextSecrets(queries, last, max)),
          log,
        }),
      monitor,
      log,
    }),
  );
  const { port } = server.address() as AddressInfo;
  parts.listening.url = addressOf(options.host, port);
  const { drainMs, requestsMs } = options.stopping ?? defaultStopping;
  return async () => {
    draining.announce();
    await setTimeout(drainMs);
    // Sockets are closed alongside the requests, because each open one keeps the listener from closing.
    await Promise.all([
      services.eventStreams.close(),
      draining.close(requestsMs),
      consoles.close(),
      relay.close(),
    ]);
    dataConnections.close();
  };
}

/** The client's address behind trusted proxies, by the same rules as Express applies to its requests. */
function sourceOf({ request: prototype }: Express, request: IncomingMessage): string {
  const { ip } = Object.setPrototypeOf(request, prototype) as Request;
  return ip ?? '';
}

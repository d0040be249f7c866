// Assembles the platform from its settings and shuts it down in an order that loses nothing.
import { runApi } from './process-roles/api.ts';
import { prepareHealth, keepQueueMetrics } from './process-roles/health.ts';
import { runIngest } from './process-roles/ingest.ts';
import { runJobs } from './process-roles/jobs.ts';
import type { Closers, PlatformOptions } from './process-roles/options.ts';
import { openParts } from './process-roles/parts.ts';
import { within } from './process/bounded-wait.ts';
import { provideFirstUser, type FirstUser } from './services/auth/first-user.ts';
import type { Readiness } from './process/readiness.ts';

/** Longer than the own limits of everything that is closed: a longer close hangs, and the rest is closed without it. */
const closeLimitMs = 12_000;

export interface Platform {
  /** The URL that it listens on; undefined without the role `api`. */
  url: string | undefined;
  /** The URL of health and metrics, if separate from the API. */
  healthUrl: string | undefined;
  firstUser: FirstUser;
  /** Calls the listener when work hangs despite restarts: the process should end. */
  onFailure(listener: (detail: string) => void): void;
  /** Stops within a bounded time, even if the database and the bus do not reply. */
  stop(): Promise<void>;
}

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { log, roles } = options;
  const closers: Closers = [];
  let readiness: Readiness | undefined;
  let endService: (() => Promise<void>) | undefined;
  const stop = async () => {
    readiness?.beginStop();
    await endService?.().catch((error: unknown) => log.error({ err: error }, 'stopping'));
    endService = undefined;
    for (const close of closers.splice(0).reverse()) {
      await within(closeLimitMs, close()).catch((error: unknown) => log.error({ err: error }, 'stopping'));
    }
  };
  try {
    const parts = await openParts(options, closers);
    readiness = parts.readiness;
    const listenForHealth = prepareHealth(parts, options, closers);
    const firstUser = await provideFirstUser(parts.platform, parts.passwords, options.bootstrap);
    keepQueueMetrics(parts, options, closers);
    if (roles.has('ingest')) runIngest(parts, options, closers);
    if (roles.has('jobs')) await runJobs(parts, options, closers);
    if (roles.has('api')) endService = await runApi(parts, options, closers);
    const healthUrl = await listenForHealth();
    return {
      healthUrl,
      url: parts.listening.url,
      firstUser,
      onFailure: (listener) => parts.monitor.onGiveUp(listener),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

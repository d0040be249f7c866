// The health of a process: its port for health and metrics, and the metrics of the queues.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { HealthPort } from '../config/index.ts';
import { hardening, requestId } from '../contract/request-entry.ts';
import { refuseUnparsed } from '../contract/unparsed-requests.ts';
import { problems } from '../platform-contract/problems.ts';
import { createHealthRouter } from '../process/health.ts';
import { naming } from '../process/environment.ts';
import { Draining } from '../process/drain.ts';
import { addressOf, listen, timeLimits } from '../process/http-listener.ts';
import type { Closers, PlatformOptions } from './options.ts';
import type { Parts } from './parts.ts';
import { startPeriodic } from '../process/periodic.ts';
import { readQueues } from '../services/admin-health/queue-ages.ts';

/** How long running requests may take; the checks' own limits are shorter. */
const requestsMs = 4_000;

/**
 * Returns a function that starts to listen, once the roles run, and returns the address. It is closed after the roles.
 */
export function prepareHealth(
  parts: Parts,
  { health, host, log }: PlatformOptions,
  closers: Closers,
): () => Promise<string | undefined> {
  if (health === undefined) return () => Promise.resolve(undefined);
  const app = express();
  app.disable('x-powered-by');
  app.use(requestId, hardening, createHealthRouter(parts));
  app.use((_request, response) => void response.sendStatus(404));
  const server = createServer(timeLimits, app);
  refuseUnparsed({ server, problems, log });
  const draining = new Draining(server);
  closers.push(() => draining.close(requestsMs));
  return async () => {
    const moved = await listenThere(server, host, health);
    const { port } = server.address() as AddressInfo;
    if (moved) log.warn({ port, taken: health.port }, 'the health port is taken; another one is used');
    return addressOf(host, port);
  };
}

/** Returns whether another port had to be used. */
async function listenThere(server: Server, host: string, { port, canMove }: HealthPort): Promise<boolean> {
  try {
    await naming('HOST or GANTRY_HEALTH_PORT', listen(server, host, port));
    return false;
  } catch (error) {
    if (!canMove || !isTaken(error)) throw error;
    await naming('HOST or GANTRY_HEALTH_PORT', listen(server, host, 0));
    return true;
  }
}

const isTaken = (error: unknown) =>
  Error.isError(error) &&
  Error.isError(error.cause) &&
  'code' in error.cause &&
  error.cause.code === 'EADDRINUSE';

const everyMs = 15_000;

/** Current in every role, so that one without jobs shows when no process runs them. */
export function keepQueueMetrics(
  { metrics, monitor, platform }: Parts,
  { log }: PlatformOptions,
  closers: Closers,
) {
  const work = async () => {
    const { ages, deadJobs, stuckJobs } = await platform.read('health', readQueues);
    for (const { name, oldestSeconds } of ages) metrics.queueOldest.set({ queue: name }, oldestSeconds ?? 0);
    metrics.deadJobs.set(deadJobs);
    metrics.stuckJobs.set(stuckJobs);
  };
  closers.push(startPeriodic({ name: 'measure queues', everyMs, work, monitor, log }));
}

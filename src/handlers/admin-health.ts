// Operations of the area `admin-health`.
import type { Schemas } from '../platform-contract/types.ts';
import type { PlatformVitals } from '../services/admin-health/index.ts';
import type { Handlers } from './handlers.ts';

export const adminHealth = {
  getPlatformHealth: async (ctx) => viewHealth(await ctx.services.adminHealth.get(ctx)),
} satisfies Partial<Handlers>;

function viewHealth({
  pool,
  bus,
  database,
  queue,
  queues,
  tables,
  mailTransport,
}: PlatformVitals): Schemas['PlatformDiagnostics'] {
  return {
    database: {
      version: database.version,
      size_bytes: database.size_bytes,
      pool: { total: pool.total, idle: pool.idle, waiting: pool.waiting, max: pool.max, most: pool.max },
    },
    bus: {
      is_connected: bus.isConnected,
      connected_since: bus.connectedSince.toISOString(),
      is_guarded: bus.isGuarded,
    },
    jobs: {
      waiting: queue.waiting,
      scheduled: queue.scheduled,
      running: queue.running,
      stuck: queue.stuck,
      failed: queue.failed,
    },
    queues: queues.map(({ name, oldestSeconds, maxSeconds }) => ({
      name,
      oldest_seconds: oldestSeconds,
      max_seconds: maxSeconds,
      is_late: oldestSeconds !== null && oldestSeconds > maxSeconds,
    })),
    tables: tables.map(({ name, rows }) => ({ name, rows })),
    mail: { transport: mailTransport },
  };
}

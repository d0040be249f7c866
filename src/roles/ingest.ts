// The role `ingest`: takes in what agents report, and finds the hosts that went silent.
import { Heartbeats } from '../bus/consumers/heartbeats.ts';
import { startConsumers } from '../bus/consumers/index.ts';
import { startPeriodic } from '../periodic.ts';
import type { PlatformOptions } from '../platform.ts';
import { BackupReports } from '../services/backups/reports.ts';
import type { Closers, Parts } from './parts.ts';

export function runIngest(
  { agentAccess, bus, database, metrics, platform, reports }: Parts,
  { heartbeatIntervalSeconds, log }: PlatformOptions,
  closers: Closers,
): void {
  const heartbeats = new Heartbeats(database.pool, metrics, log);
  closers.push(
    startConsumers({
      backups: new BackupReports(platform),
      bus,
      reports,
      heartbeats,
      cutOff: (hostId) => agentAccess.cutOff(hostId),
      metrics,
      log,
    }),
  );
  closers.push(
    startPeriodic({
      name: 'find stale hosts',
      everyMs: (heartbeatIntervalSeconds * 1000) / 2,
      work: async () => {
        // While this replica could not hear them, their silence says nothing.
        const heardSince = Math.max(heartbeats.steadySince, bus.connectedSince);
        if (!bus.isConnected || Date.now() - heardSince < reports.staleMs) return;
        const stale = await reports.sweepStale();
        if (stale.length > 0) log.warn({ hosts: stale }, 'hosts went offline without a word');
      },
      log,
    }),
  );
}

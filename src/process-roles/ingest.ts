// The role `ingest`: stores agents' reports, and detects silent hosts.
import type { Bus } from '../bus/bus.ts';
import { BrokerWatch } from '../bus/broker-watch.ts';
import { heartbeatLane } from '../bus/connection.ts';
import { ConnectionCap } from '../bus/connection-cap.ts';
import { Heartbeats } from '../ingest/heartbeats.ts';
import { HostLicenses } from '../ingest/host-licenses.ts';
import { startConsumers } from '../ingest/index.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Closers, PlatformOptions } from './options.ts';
import { BackupReports } from '../services/backups/reports.ts';
import { ManagedInstanceReports } from '../services/managed-instances/reports.ts';
import { SilentHosts, type ListeningState } from '../services/agents/silent-hosts.ts';
import type { Parts } from './parts.ts';

/** How often agents' connections are counted again, in case an event was missed. */
const recountMs = 60_000;

export function runIngest(parts: Parts, options: PlatformOptions, closers: Closers): void {
  const { agentAccess, bus, database, hosts, metrics, monitor, platform, reports } = parts;
  const { heartbeatIntervalSeconds, log } = options;
  const heartbeats = new Heartbeats(database.pool, metrics, log);
  const silentHosts = new SilentHosts({
    platform,
    heartbeatIntervalMs: heartbeatIntervalSeconds * 1_000,
    listening: listeningStateOf(bus, heartbeats),
  });
  // When this replica no longer takes reports, the others need not wait for it.
  closers.push(() =>
    silentHosts
      .close()
      .catch((error: unknown) => log.warn({ err: error }, 'this replica could not sign off from ingest')),
  );
  closers.push(
    startConsumers({
      backups: new BackupReports(hosts),
      managedInstances: new ManagedInstanceReports(hosts),
      bus,
      reports,
      heartbeats,
      licenses: new HostLicenses(database.pool, log),
      cutOff: (hostId) => agentAccess.cutOff(hostId),
      metrics,
      log,
    }),
  );
  closers.push(
    startPeriodic({
      name: 'find stale hosts',
      everyMs: (heartbeatIntervalSeconds * 1000) / 4,
      work: async () => {
        const silent = await silentHosts.sweep();
        if (silent.length > 0) log.warn({ hosts: silent }, 'hosts went offline without a word');
      },
      monitor,
      log,
    }),
  );
  limitConnections(parts, options, closers);
  informBrokers(parts, options, closers);
}

/** A bus without credential checks cannot identify hosts. */
function limitConnections({ bus, metrics, monitor }: Parts, options: PlatformOptions, closers: Closers) {
  if (!bus.isGuarded) return;
  const { url, keys } = options.bus;
  const { log } = options;
  const cap = new ConnectionCap({ url, keys, onEnded: () => metrics.busConnectionsEnded.inc(), log });
  closers.push(() => cap.close());
  closers.push(
    startPeriodic({
      name: 'limit bus connections',
      everyMs: recountMs,
      work: () => cap.refresh(),
      monitor,
      log,
    }),
  );
}

/** A broker that was down while keys were revoked would let their holders in when it is back. */
function informBrokers({ bus, monitor, revocations }: Parts, options: PlatformOptions, closers: Closers) {
  if (!bus.isGuarded) return;
  const { url, keys } = options.bus;
  const { log } = options;
  const watch = new BrokerWatch({ url, keys, onStarted: () => revocations.publish(), log });
  closers.push(() => watch.close());
  closers.push(
    startPeriodic({
      name: 'watch for brokers that start',
      everyMs: recountMs,
      work: () => watch.refresh(),
      monitor,
      log,
    }),
  );
}

/** This replica's own state as a receiver of heartbeats. */
export function listeningStateOf(bus: Bus, heartbeats: Heartbeats): ListeningState {
  return {
    checkBus: (timeoutMs) => bus.checkReachable(timeoutMs),
    get busLossCount() {
      return bus.lossCountOf('platform');
    },
    catchUp: (timeoutMs) => bus.catchUpWithHeartbeats(timeoutMs),
    get heartbeatLossCount() {
      return bus.lossCountOf(heartbeatLane);
    },
    isThere: (hostId, timeoutMs) => bus.isAgentThere(hostId, timeoutMs),
    recordAlive: (hostId) => heartbeats.takeUnread(hostId),
    oldestWaitMs: () => heartbeats.oldestWaitMs(),
    waitingHosts: () => heartbeats.waitingHosts(),
  };
}

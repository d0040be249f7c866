// The replica that the role `api` reads figures, exports and public pages from.
import type { DatabaseConnection } from '../database/connection.ts';
import type { Reader } from '../database/reader.ts';
import { Replica } from '../database/replica.ts';
import type { Metrics } from '../process/metrics.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { WorkMonitor } from '../process/work-monitor.ts';
import type { Closers, PlatformOptions } from './options.ts';

/** The standby counts as older than it is by up to this time. */
const compareMs = 250;

interface ReplicaParts extends Pick<PlatformOptions, 'databaseReplica' | 'poolSize' | 'roles' | 'log'> {
  database: DatabaseConnection;
  reader: Reader;
  metrics: Metrics;
  monitor: WorkMonitor;
}

/** The platform starts without the replica too: until it is known to be fresh, the primary is read. */
export function openReplica(
  { databaseReplica: settings, poolSize, roles, ...parts }: ReplicaParts,
  closers: Closers,
): Replica | undefined {
  if (settings === undefined || !roles.has('api')) return undefined;
  const { database, reader, metrics, monitor, log } = parts;
  const replica = new Replica({
    settings,
    poolSize,
    primary: { pool: database.pool, reader },
    onRead: (outcome) => metrics.replicaReads.inc({ outcome }),
    log,
  });
  metrics.watchReplica(() => replica.lagMs);
  closers.push(() => replica.close());
  const work = () => replica.compare();
  closers.push(startPeriodic({ name: 'compare the replica', everyMs: compareMs, work, monitor, log }));
  return replica;
}

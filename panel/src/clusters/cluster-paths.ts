// What a change of a cluster makes stale.
import type { ReadPath } from '../api/operations.ts';

export const clusterPaths: readonly ReadPath[] = [
  '/api/fleet/clusters',
  '/api/fleet/clusters/{cluster_id}',
  '/api/fleet/instances',
];

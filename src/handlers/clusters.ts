// Operations of the area `clusters`.
import type { Schemas } from '../platform-contract/types.ts';
import type { ClusterRow } from '../services/clusters.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const clusters = {
  listClusters: async (ctx, { query }) => viewPage(await ctx.services.clusters.list(ctx, query), viewCluster),
  createCluster: async (ctx, { body }) => viewCluster(await ctx.services.clusters.create(ctx, body)),
  getCluster: async (ctx, { path }) => viewCluster(await ctx.services.clusters.get(ctx, path.cluster_id)),
  updateCluster: async (ctx, { path, body }) =>
    viewCluster(await ctx.services.clusters.update(ctx, path.cluster_id, body)),
  deleteCluster: async (ctx, { path }) => ctx.services.clusters.delete(ctx, path.cluster_id),
} satisfies Partial<Handlers>;

function viewCluster(cluster: ClusterRow): Schemas['InstanceCluster'] {
  return {
    id: cluster.id,
    name: cluster.name,
    description: cluster.description,
    instance_count: cluster.instance_count ?? 0,
    created_at: cluster.created_at,
  };
}

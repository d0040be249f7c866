// Operations of the area `maps`.
import type { Schemas } from '../platform-contract/types.ts';
import { settlingWithin, Versioned } from '../contract/replies.ts';
import type { MapDeploymentRow } from '../services/maps/deployments.ts';
import type { MapRow } from '../services/maps/index.ts';
import { viewOutcome } from './commands.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';

export const maps = {
  listMaps: async (ctx, { query }) => viewPage(await ctx.services.maps.list(ctx, query), viewMap),
  uploadMap: async (ctx, { body, bodyFile }) =>
    viewVersioned(await ctx.services.mapUploads.upload(ctx, body, bodyFile)),
  getMap: async (ctx, { path }) => viewVersioned(await ctx.services.maps.get(ctx, path.map_id)),
  updateMap: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.maps.update(ctx, path.map_id, expectedVersions, body)),
  deleteMap: async (ctx, { path, expectedVersions }) =>
    ctx.services.maps.delete(ctx, path.map_id, expectedVersions),
  downloadMap: async (ctx, { path }) => ctx.services.mapContents.download(ctx, path.map_id),
  downloadMapForAgent: async (ctx, { path, query }) =>
    ctx.services.mapContents.downloadLinked(path.map_id, query),
  downloadPublicMap: async (ctx, { path }) => ctx.services.mapContents.downloadPublic(path.map_secret),
  listMapDeployments: async (ctx, { path, query }) =>
    viewPage(await ctx.services.mapDeployments.list(ctx, path.instance_id, query), viewDeployment),
  deployMap: async (ctx, { path, body, waitSeconds }) =>
    settling(ctx, await ctx.services.mapDeployments.deploy(ctx, path.instance_id, body), waitSeconds),
  getMapDeployment: async (ctx, { path }) =>
    viewDeployment(await ctx.services.mapDeployments.get(ctx, path.instance_id, path.map_deployment_id)),
  undeployMap: async (ctx, { path, waitSeconds }) =>
    settling(
      ctx,
      await ctx.services.mapDeployments.remove(ctx, path.instance_id, path.map_deployment_id),
      waitSeconds,
    ),
} satisfies Partial<Handlers>;

/** The deployment; settles after its command's result if the caller prefers to wait. */
function settling(ctx: HandlerContext, deployment: MapDeploymentRow, seconds: number) {
  const { id, instance_id: instanceId, command_id: commandId } = deployment;
  return settlingWithin(seconds, viewDeployment(deployment), async () => {
    await ctx.services.commands.waitForEnd(ctx, commandId, seconds);
    return viewDeployment(await ctx.services.mapDeployments.get(ctx, instanceId, id));
  });
}

const viewVersioned = (map: MapRow) => new Versioned(viewMap(map), map.version);

function viewMap(map: MapRow): Schemas['GameMap'] {
  return {
    id: map.id,
    name: map.name,
    sha256: map.sha256,
    bytes: map.bytes,
    format_version: map.format_version,
    world_size: map.world_size,
    scan_status: map.scan_status,
    scan_detail: map.scan_detail,
    is_public: map.public_url !== null,
    public_url: map.public_url,
    uploaded_by: map.uploaded_by,
    version: map.version,
    created_at: map.created_at,
  };
}

function viewDeployment(deployment: MapDeploymentRow): Schemas['MapDeployment'] {
  return {
    id: deployment.id,
    instance_id: deployment.instance_id,
    map_id: deployment.map_id,
    path: `maps/${deployment.file_name}`,
    status: deployment.status,
    ...viewOutcome(deployment),
    command_id: deployment.command_id,
    requested_by: deployment.requested_by,
    created_at: deployment.created_at,
    finished_at: deployment.finished_at,
  };
}

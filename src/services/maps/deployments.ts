// Deployments of maps to game instances: commands deploy and remove them, and their outcomes set the status.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { MapDeployment } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { Commands } from '../commands/index.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { fileNameOf } from './file-name.ts';
import type { MapLinks } from './links.ts';

type Status = Schemas['MapDeploymentStatus'];

export type MapDeploymentRow = Awaited<ReturnType<typeof deploymentOf>>;

/** What an agent receives about a map; see `MapSource` of the bus. Its link is added when the command is sent. */
export interface MapSource {
  map_id: string;
  sha256: string;
  bytes: number;
  file_name: string;
  level_url?: string;
}

export class MapDeployments {
  readonly #commands: Commands;
  readonly #links: MapLinks;

  constructor(commands: Commands, links: MapLinks) {
    this.#commands = commands;
    this.#links = links;
  }

  async list(
    ctx: Ctx,
    instanceId: string,
    query: Query<'listMapDeployments'> = {},
  ): Promise<Page<MapDeploymentRow>> {
    return ctx.read(async (queries) => {
      await refuseUnknownInstance(queries, instanceId);
      return pageOf(
        deployments(queries).where('deployment.instance_id', '=', instanceId),
        query,
        byId('deployment.id', 'desc'),
      );
    });
  }

  async get(ctx: Ctx, instanceId: string, id: string): Promise<MapDeploymentRow> {
    return ctx.read((queries) => deploymentOf(queries, instanceId, id));
  }

  /** An instance has one deployment per map; deploying the map again downloads the file again. */
  async deploy(ctx: Ctx, instanceId: string, { map_id: mapId }: Schemas['MapDeploymentCreate']) {
    return ctx.transact(async (em, queries) => {
      const source = await this.sourceOf(queries, mapId);
      const known = await em.findOne(MapDeployment, { instanceId, mapId });
      const map = { ...source, file_name: known?.fileName ?? source.file_name };
      const command = await this.#commands.create(ctx, instanceId, { verb: 'deploy_map', args: { map } });
      const deployment =
        // A concurrent request may have created it; commands of one host are created one at a time.
        known ??
        (await em.findOne(MapDeployment, { instanceId, mapId })) ??
        em.create(MapDeployment, {
          instanceId,
          mapId,
          fileName: map.file_name,
          commandId: command.id,
          requestedBy: command.requested_by,
        });
      em.assign(deployment, { commandId: command.id, removalId: null, requestedBy: command.requested_by });
      await refusing({ map_deployment_license_id_map_id_fkey: () => notFound('map') }, () => em.flush());
      return deploymentOf(queries, instanceId, deployment.id);
    });
  }

  async remove(ctx: Ctx, instanceId: string, id: string): Promise<MapDeploymentRow> {
    return ctx.transact(async (em, queries) => {
      const { status, file_name } = await deploymentOf(queries, instanceId, id);
      if (status === 'pending' || status === 'downloading' || status === 'removing')
        throw new DomainError(
          'map_in_use',
          'A command for this deployment is still in progress; try again once it has finished.',
        );
      const { id: removalId } = await this.#commands.create(ctx, instanceId, {
        verb: 'remove_map',
        args: { file_name },
      });
      await em.nativeUpdate(MapDeployment, { id }, { removalId });
      return deploymentOf(queries, instanceId, id);
    });
  }

  /** The argument `map` of a command. The caller may have checked that the map belongs to the license. */
  async sourceOf(queries: Queries, mapId: string): Promise<MapSource> {
    const map = await queries
      .selectFrom('map')
      .select(['id', 'name', 'sha256', 'bytes', 'public_secret'])
      .where('id', '=', mapId)
      .executeTakeFirst();
    if (map === undefined) throw notFound('map');
    const file_name = fileNameOf(map);
    return {
      map_id: map.id,
      sha256: map.sha256,
      bytes: map.bytes,
      file_name,
      ...(map.public_secret !== null && { level_url: this.#links.publicUrlOf(map.public_secret, file_name) }),
    };
  }
}

/** Whether any instance has the file of the map, or has a pending deployment of it. */
export async function isDeployed(queries: Queries, mapId: string): Promise<boolean> {
  const deployment = await deployments(queries)
    .where('deployment.map_id', '=', mapId)
    .where(status, 'not in', ['failed', 'removed'])
    .limit(1)
    .executeTakeFirst();
  return deployment !== undefined;
}

/** Whether any instance uses the map or is about to: a later wipe that names no other map keeps it. */
export async function isPlayed(queries: Queries, mapId: string): Promise<boolean> {
  const wipe = await queries
    .selectFrom('wipe_history as wipe')
    .select('wipe.id')
    .where('wipe.map_id', '=', mapId)
    .where('wipe.instance_id', 'is not', null)
    .where(sql<boolean>`(status not in ('failed', 'rolled_back', 'cancelled') or error_code = 'lost')`)
    .where(
      sql<boolean>`not exists (
        select from wipe_history as later
        where later.instance_id = wipe.instance_id and later.id > wipe.id and later.status = 'completed'
          and num_nonnulls(later.seed, later.world_size, later.map_id) > 0)`,
    )
    .limit(1)
    .executeTakeFirst();
  return wipe !== undefined;
}

const status = sql<Status>`case
  when removal.status = 'succeeded' then 'removed'
  when removal.status in ('queued', 'sent', 'acknowledged') then 'removing'
  when bringing.status = 'succeeded' then 'deployed'
  when bringing.status = 'acknowledged' then 'downloading'
  when bringing.status in ('queued', 'sent') then 'pending'
  else 'failed' end`;

function deployments(queries: Queries) {
  return queries
    .selectFrom('map_deployment as deployment')
    .innerJoin('command as bringing', 'bringing.id', 'deployment.command_id')
    .leftJoin('command as removal', 'removal.id', 'deployment.removal_id')
    .innerJoin('command as last', (join) =>
      join.on('last.id', '=', sql`coalesce(deployment.removal_id, deployment.command_id)`),
    )
    .select([
      'deployment.id',
      'deployment.instance_id',
      'deployment.map_id',
      'deployment.file_name',
      'deployment.requested_by',
      'deployment.created_at',
      'last.id as command_id',
      'last.status as command_status',
      'last.detail',
      'last.error_code',
      'last.finished_at',
      status.as('status'),
    ]);
}

async function deploymentOf(queries: Queries, instanceId: string, id: string) {
  const deployment = await deployments(queries)
    .where('deployment.instance_id', '=', instanceId)
    .where('deployment.id', '=', id)
    .executeTakeFirst();
  if (deployment === undefined) throw notFound('deployment');
  return deployment;
}

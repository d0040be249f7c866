// The custom maps of a license: listed, renamed, published and deleted.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { GameMap } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { containing } from '../../lists/filters.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { createSecret } from '../../secrets/random-secrets.ts';
import { refuseInSandbox } from '../../preconditions/sandboxes.ts';
import { refuseStale } from '../../preconditions/version.ts';
import type { StoredFiles } from '../../storage/stored-files.ts';
import { isDeployed, isPlayed } from './deployments.ts';
import { fileNameOf } from './file-name.ts';
import type { MapLinks } from './links.ts';

type StoredMap = Awaited<ReturnType<typeof mapOf>>;

export interface MapRow extends Omit<StoredMap, 'public_secret'> {
  public_url: string | null;
}

const columns = [
  'id',
  'name',
  'sha256',
  'bytes',
  'format_version',
  'world_size',
  'scan_status',
  'scan_detail',
  'public_secret',
  'uploaded_by',
  'version',
  'created_at',
] as const;

export class Maps {
  readonly #files: StoredFiles;
  readonly #links: MapLinks;

  constructor(files: StoredFiles, links: MapLinks) {
    this.#files = files;
    this.#links = links;
  }

  async list(ctx: Ctx, query: Query<'listMaps'> = {}): Promise<Page<MapRow>> {
    return ctx.read(async (queries) => {
      let maps = queries.selectFrom('map').select(columns);
      if (query.q !== undefined) maps = maps.where('name', 'ilike', containing(query.q));
      if (query.is_public !== undefined)
        maps = maps.where('public_secret', query.is_public ? 'is not' : 'is', null);
      const { rows, nextCursor } = await pageOf(maps, query, byId('id', 'desc'));
      return { rows: rows.map((row) => this.#shown(row)), nextCursor };
    });
  }

  async get(ctx: Ctx, id: string): Promise<MapRow> {
    return ctx.read((queries) => this.read(queries, id));
  }

  async read(queries: Queries, id: string): Promise<MapRow> {
    return this.#shown(await mapOf(queries, id));
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    { name, is_public }: Schemas['MapUpdate'],
  ): Promise<MapRow> {
    return ctx.transact(async (em, queries) => {
      const map = await em.findOne(GameMap, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      refuseUnchangeable(map, expectedVersions);
      if (is_public === true)
        await refuseInSandbox(queries, ctx.licenseId, 'Maps of a sandbox cannot be public.');
      map.name = name ?? map.name;
      if (is_public === true) map.publicSecret ??= createSecret('');
      if (is_public === false && map.publicSecret !== null) {
        if (await isPlayed(queries, id))
          throw new DomainError(
            'map_in_use',
            'An instance is playing the map, and its players download it; wipe to another map first.',
          );
        map.publicSecret = null;
      }
      map.version += 1;
      await em.flush();
      return this.read(queries, id);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em, queries) => {
      // A concurrent deployment waits for this row lock, and then finds no map.
      const map = await em.findOne(GameMap, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      refuseUnchangeable(map, expectedVersions);
      if ((await isDeployed(queries, id)) || (await isPlayed(queries, id)))
        throw new DomainError(
          'map_in_use',
          'An instance has the map or is going to play it; remove it from the instance, or wipe to another map, first.',
        );
      await em.nativeDelete(GameMap, { id });
      await this.#files.discard(em, map.fileId);
    });
  }

  #shown({ public_secret, ...map }: StoredMap): MapRow {
    return {
      ...map,
      public_url: public_secret === null ? null : this.#links.publicUrlOf(public_secret, fileNameOf(map)),
    };
  }
}

async function mapOf(queries: Queries, id: string) {
  const map = await queries.selectFrom('map').select(columns).where('id', '=', id).executeTakeFirst();
  if (map === undefined) throw notFound('map');
  return map;
}

function refuseUnchangeable(
  map: GameMap | null,
  expectedVersions: readonly number[] | null,
): asserts map is GameMap {
  if (map === null) throw notFound('map');
  refuseStale(map, expectedVersions, 'The map');
}

// Downloads of maps: by members of the license, by agents with a signed link, and by the public.
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { StoredContent } from '../../results/results.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { StoredFiles } from '../../storage/stored-files.ts';
import { fileNameOf } from './file-name.ts';
import type { MapLinks } from './links.ts';

export class MapContents {
  readonly #platform: PlatformScope;
  readonly #tenant: TenantScope;
  readonly #files: StoredFiles;
  readonly #links: MapLinks;

  constructor(platform: PlatformScope, tenant: TenantScope, files: StoredFiles, links: MapLinks) {
    this.#platform = platform;
    this.#tenant = tenant;
    this.#files = files;
    this.#links = links;
  }

  async download(ctx: Ctx, id: string): Promise<StoredContent> {
    const map = await ctx.read((queries) => contents(queries).where('map.id', '=', id).executeTakeFirst());
    if (map === undefined) throw notFound('map');
    return this.#contentOf(map);
  }

  /** The link grants access; the license, the instance and the map must still exist. */
  async downloadLinked(id: string, query: Query<'downloadMapForAgent'>): Promise<StoredContent> {
    if (!this.#links.isGood(id, query)) throw badLink();
    const map = await this.#tenant.read(query.license_id, (queries) =>
      contents(queries)
        .innerJoin('game_instance as instance', 'instance.license_id', 'map.license_id')
        .where('map.id', '=', id)
        .where('instance.id', '=', query.instance_id)
        .where('license.status', '=', 'active')
        .executeTakeFirst(),
    );
    if (map === undefined) throw badLink();
    return this.#contentOf(map);
  }

  async downloadPublic(secret: string): Promise<StoredContent> {
    const map = await this.#platform.read('downloads', (queries) =>
      contents(queries)
        .where('map.public_secret', '=', secret)
        .where('license.status', '=', 'active')
        .executeTakeFirst(),
    );
    if (map === undefined) throw notFound('map');
    return this.#contentOf(map, { isPublic: true });
  }

  #contentOf(map: Content, { isPublic = false } = {}): StoredContent {
    return new StoredContent({
      mediaType: 'application/octet-stream',
      fileName: fileNameOf(map),
      size: map.bytes,
      tag: map.sha256,
      isPublic,
      open: (range) => this.#files.open(map, range),
    });
  }
}

function contents(queries: Queries) {
  return queries
    .selectFrom('map')
    .innerJoin('license', 'license.id', 'map.license_id')
    .select(['map.license_id', 'map.file_id', 'map.name', 'map.sha256', 'map.bytes']);
}

interface Content {
  license_id: string;
  file_id: string;
  name: string;
  sha256: string;
  bytes: number;
}

const badLink = () => new DomainError('invalid_link', 'The link is invalid or has expired.');

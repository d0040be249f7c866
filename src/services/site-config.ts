// The public site settings of a license and of each of its game instances.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import type { Queries } from '../database/reader.ts';
import { holdLock } from '../database/advisory-locks.ts';
import { SiteConfig, SiteListing } from '../entities/index.ts';
import { notFound } from '../errors.ts';
import { byId, pageOf, type Page } from '../lists/page.ts';
import { refuseStale } from '../preconditions/version.ts';
import { DueTimes } from './schedules/due-times.ts';

export type SiteConfigRow = Awaited<ReturnType<typeof configOf>>;
export type SiteListingRow = Awaited<ReturnType<typeof listingOf>>;

export class SiteConfigs {
  readonly #dueTimes = new DueTimes();

  async get(ctx: Ctx): Promise<SiteConfigRow> {
    return ctx.read(configOf);
  }

  async update(
    ctx: Ctx,
    expectedVersions: readonly number[] | null,
    changes: Schemas['SiteSettingsUpdate'],
  ): Promise<SiteConfigRow> {
    return ctx.transact(async (em, queries) => {
      await lockSiteConfig(ctx, em);
      const stored = await em.findOne(SiteConfig, ctx.licenseId);
      refuseStale({ version: stored?.version ?? 0 }, expectedVersions);
      const config = stored ?? em.create(SiteConfig, { version: 0 });
      config.isPublic = changes.is_public ?? config.isPublic ?? false;
      config.isListedByDefault = changes.is_listed_by_default ?? config.isListedByDefault ?? false;
      if (changes.status_page_description !== undefined)
        config.statusPageDescription = changes.status_page_description;
      config.version = (config.version ?? 0) + 1;
      await em.flush();
      return configOf(queries);
    });
  }

  async listListings(ctx: Ctx, query: Query<'listPublicListings'>): Promise<Page<SiteListingRow>> {
    return ctx.read(async (queries) => {
      const byInstance = byId<{ id: string }>('instance.id', 'asc');
      return pageOf(listings(queries), query, { ...byInstance, keyOf: (row) => row.instance_id });
    });
  }

  async getListing(ctx: Ctx, instanceId: string): Promise<SiteListingRow> {
    return ctx.read((queries) => listingOf(queries, instanceId));
  }

  async updateListing(
    ctx: Ctx,
    instanceId: string,
    expectedVersions: readonly number[] | null,
    changes: Schemas['PublicListingUpdate'],
  ): Promise<SiteListingRow> {
    const { wipe_schedule: schedule } = changes;
    if (schedule) {
      const timing = { cron: schedule.cron, timeZone: schedule.time_zone };
      this.#dueTimes.check(timing, 'body', '/wipe_schedule');
    }
    return ctx.transact(async (em, queries) => {
      await lockSiteConfig(ctx, em);
      await listingOf(queries, instanceId);
      const stored = await em.findOne(SiteListing, instanceId);
      refuseStale({ version: stored?.version ?? 0 }, expectedVersions);
      const listing = stored ?? em.create(SiteListing, { instanceId, version: 0 });
      if (changes.is_listed !== undefined) listing.isListed = changes.is_listed;
      if (changes.display_name !== undefined) listing.displayName = changes.display_name;
      if (changes.description !== undefined) listing.description = changes.description;
      if (schedule !== undefined) {
        listing.wipeCron = schedule?.cron ?? null;
        listing.wipeTimeZone = schedule?.time_zone ?? null;
      }
      listing.version = (listing.version ?? 0) + 1;
      await refusing({ site_listing_license_id_instance_id_fkey: missing }, () => em.flush());
      return listingOf(queries, instanceId);
    });
  }
}

/** Serialises changes of the public site settings: the first change creates the row that later ones update. */
export function lockSiteConfig({ licenseId }: Ctx, em: EntityManager): Promise<void> {
  return holdLock(em, `site config ${licenseId}`);
}

/** The license's settings; by default nothing is public. */
async function configOf(queries: Queries) {
  const stored = await queries
    .selectFrom('site_config')
    .select(['is_public', 'is_listed_by_default', 'status_page_description', 'version'])
    .executeTakeFirst();
  return (
    stored ?? { is_public: false, is_listed_by_default: false, status_page_description: null, version: 0 }
  );
}

function listings(queries: Queries) {
  return queries
    .selectFrom('game_instance as instance')
    .leftJoin('site_listing as listing', 'listing.instance_id', 'instance.id')
    .leftJoin('site_config as config', 'config.license_id', 'instance.license_id')
    .select([
      'instance.id as instance_id',
      'instance.name as instance_name',
      'listing.is_listed',
      sql<boolean>`coalesce(config.is_public and coalesce(listing.is_listed, config.is_listed_by_default), false)`.as(
        'is_shown',
      ),
      'listing.display_name',
      'listing.description',
      'listing.wipe_cron',
      'listing.wipe_time_zone',
      sql<number>`coalesce(listing.version, 0)`.as('version'),
    ]);
}

async function listingOf(queries: Queries, instanceId: string) {
  const listing = await listings(queries).where('instance.id', '=', instanceId).executeTakeFirst();
  if (listing === undefined) throw missing();
  return listing;
}

const missing = () => notFound('instance');

// Operations of the area `site-config`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { SiteConfigRow, SiteListingRow } from '../services/site-config.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const siteConfig = {
  getSiteSettings: async (ctx) => viewConfig(await ctx.services.siteConfig.get(ctx)),
  updateSiteSettings: async (ctx, { expectedVersions, body }) =>
    viewConfig(await ctx.services.siteConfig.update(ctx, expectedVersions, body)),
  listPublicListings: async (ctx, { query }) =>
    viewPage(await ctx.services.siteConfig.listListings(ctx, query), viewListing),
  getPublicListing: async (ctx, { path }) =>
    viewVersioned(await ctx.services.siteConfig.getListing(ctx, path.instance_id)),
  updatePublicListing: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.siteConfig.updateListing(ctx, path.instance_id, expectedVersions, body)),
} satisfies Partial<Handlers>;

function viewConfig(config: SiteConfigRow): Versioned<Schemas['SiteSettings']> {
  const { is_public, is_listed_by_default, status_page_description, version } = config;
  return new Versioned({ is_public, is_listed_by_default, status_page_description, version }, version);
}

const viewVersioned = (listing: SiteListingRow) => new Versioned(viewListing(listing), listing.version);

function viewListing(listing: SiteListingRow): Schemas['PublicListing'] {
  return {
    instance_id: listing.instance_id,
    instance_name: listing.instance_name,
    is_listed: listing.is_listed,
    is_shown: listing.is_shown,
    display_name: listing.display_name,
    description: listing.description,
    wipe_schedule: viewWipeSchedule(listing),
    version: listing.version,
  };
}

export function viewWipeSchedule({
  wipe_cron: cron,
  wipe_time_zone: timeZone,
}: Pick<SiteListingRow, 'wipe_cron' | 'wipe_time_zone'>): Schemas['WipeSchedule'] {
  return cron === null || timeZone === null ? null : { cron, time_zone: timeZone };
}

// Public site settings in migration documents: one entry for the license, and one for each configured instance.
import { sql } from 'kysely';
import { SiteConfig, SiteListing } from '../../../entities/index.ts';
import { notFound } from '../../../errors.ts';
import type { DueTimes } from '../../schedules/due-times.ts';
import { lockSiteConfig } from '../../site-config.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Config = ItemOf<'site_config'>;
type Listing = ItemOf<'site_listings'>;

export const siteConfigPart = (): MigrationPart<Config> => ({
  version: 1,
  max: 1,
  permission: 'siteconfig.manage',

  async page(queries, last) {
    if (last !== undefined) return [];
    return queries
      .selectFrom('site_config')
      .select(['is_public', 'is_listed_by_default', 'status_page_description'])
      .execute();
  },

  labelOf: () => 'what the license shows',

  async open({ ctx, em }) {
    await lockSiteConfig(ctx, em);
    const stored = await em.findOne(SiteConfig, ctx.licenseId);
    return {
      keyOf: () => '',
      refusals: {},

      stored: () =>
        stored === null
          ? undefined
          : {
              is_public: stored.isPublic ?? false,
              is_listed_by_default: stored.isListedByDefault ?? false,
              status_page_description: stored.statusPageDescription ?? null,
            },

      check: () => undefined,

      async apply(pending) {
        for (const { item } of pending) {
          const values = {
            isPublic: item.is_public,
            isListedByDefault: item.is_listed_by_default,
            statusPageDescription: item.status_page_description,
          };
          if (stored === null) em.create(SiteConfig, values);
          else em.assign(stored, { ...values, version: (stored.version ?? 0) + 1 });
        }
      },
    };
  },
});

export const siteListingsPart = (dueTimes: DueTimes): MigrationPart<Listing> => ({
  version: 1,
  max: 10_000,
  permission: 'siteconfig.manage',

  async page(queries, last, count) {
    let listed = queries
      .selectFrom('site_listing as listing')
      .innerJoin('game_instance', 'game_instance.id', 'listing.instance_id')
      .innerJoin('agent_host', 'agent_host.id', 'game_instance.host_id')
      .select([
        'agent_host.hostname as host',
        'game_instance.name as instance',
        'listing.is_listed',
        'listing.display_name',
        'listing.description',
        sql<Listing['wipe_schedule']>`case when wipe_cron is not null
          then jsonb_build_object('cron', wipe_cron, 'time_zone', wipe_time_zone) end`.as('wipe_schedule'),
      ])
      .orderBy(sql`agent_host.hostname collate "C"`)
      .orderBy(sql`game_instance.name collate "C"`)
      .limit(count);
    if (last !== undefined)
      listed = listed.where(
        sql<boolean>`(agent_host.hostname collate "C", game_instance.name collate "C") > (${last.host}, ${last.instance})`,
      );
    return listed.execute();
  },

  labelOf: ({ host, instance }) => `${instance} on ${host}`,

  async open({ ctx, em, instances }, items) {
    await lockSiteConfig(ctx, em);
    const ids = items.flatMap((item) => instances.idOf(item) ?? []);
    const stored = await em.find(SiteListing, { instanceId: { $in: ids } });
    const byInstance = new Map(stored.map((listing) => [listing.instanceId, listing]));
    const listingOf = (item: Listing) => byInstance.get(instances.idOf(item) ?? '');
    return {
      keyOf: ({ host, instance }) => instances.idOf({ host, instance }) ?? `${host}/${instance}`,
      refusals: { site_listing_license_id_instance_id_fkey: () => notFound('instance') },

      reasonToSkip: (item) => instances.reasonToSkip(item),

      stored(item) {
        const listing = listingOf(item);
        return listing && { ...item, ...settingsOf(listing) };
      },

      check({ wipe_schedule: schedule }) {
        if (schedule === null) return;
        dueTimes.check({ cron: schedule.cron, timeZone: schedule.time_zone }, 'body', '/wipe_schedule');
      },

      async apply(pending) {
        for (const { item } of pending) {
          const values = {
            isListed: item.is_listed,
            displayName: item.display_name,
            description: item.description,
            wipeCron: item.wipe_schedule?.cron ?? null,
            wipeTimeZone: item.wipe_schedule?.time_zone ?? null,
          };
          const listing = listingOf(item);
          const instanceId = instances.idOf(item);
          if (listing !== undefined) em.assign(listing, { ...values, version: (listing.version ?? 0) + 1 });
          else if (instanceId !== undefined) em.create(SiteListing, { ...values, instanceId });
        }
      },
    };
  },
});

function settingsOf({ isListed, displayName, description, wipeCron, wipeTimeZone }: SiteListing) {
  return {
    is_listed: isListed ?? null,
    display_name: displayName ?? null,
    description: description ?? null,
    wipe_schedule: wipeCron && wipeTimeZone ? { cron: wipeCron, time_zone: wipeTimeZone } : null,
  };
}

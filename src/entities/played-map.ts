// A map that game servers of a license have reported.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayedMapSchema = defineEntity({
  name: 'PlayedMap',
  tableName: 'played_map',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    /** Distinguishes it from others, because most maps have the same name. */
    key: p.text(),
    name: p.text(),
    firstSeenAt: p.datetime().defaultRaw('now()'),
    /** Accurate to the day. */
    lastSeenAt: p.datetime().defaultRaw('now()'),
  },
});
export class PlayedMap extends PlayedMapSchema.class {}
PlayedMapSchema.setClass(PlayedMap);

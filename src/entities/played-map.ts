// A map that game servers of a license have been seen with, by the name that they report.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PlayedMapSchema = defineEntity({
  name: 'PlayedMap',
  tableName: 'played_map',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    firstSeenAt: p.datetime().defaultRaw('now()'),
  },
});
export class PlayedMap extends PlayedMapSchema.class {}
PlayedMapSchema.setClass(PlayedMap);

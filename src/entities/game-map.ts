// A custom map that was uploaded to a license.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const GameMapSchema = defineEntity({
  name: 'GameMap',
  tableName: 'map',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    fileId: p.uuid(),
    name: p.text(),
    sha256: p.text(),
    bytes: p.bigint('number'),
    formatVersion: p.integer(),
    worldSize: p.integer(),
    scanStatus: p.enum(['not_scanned', 'clean'] as const),
    scanDetail: p.text(),
    /** Part of the public download URL; null unless the map is public. */
    publicSecret: p.text().nullable(),
    uploadedBy: p.text().nullable(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class GameMap extends GameMapSchema.class {}
GameMapSchema.setClass(GameMap);

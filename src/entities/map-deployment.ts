// A map that an instance was to get; what became of it, its commands say.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const MapDeploymentSchema = defineEntity({
  name: 'MapDeployment',
  tableName: 'map_deployment',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    mapId: p.uuid(),
    instanceId: p.uuid(),
    fileName: p.text(),
    /** The command that brings it. */
    commandId: p.uuid(),
    /** The last command that removes it again. */
    removalId: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class MapDeployment extends MapDeploymentSchema.class {}
MapDeploymentSchema.setClass(MapDeployment);

// The deployment of a map to an instance; its commands hold the outcome.
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
    /** The command that deploys it. */
    commandId: p.uuid(),
    /** The last command that removes it. */
    removalId: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class MapDeployment extends MapDeploymentSchema.class {}
MapDeploymentSchema.setClass(MapDeployment);

// A module that an instance was to get; what became of it, its commands say.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ModuleInstallationSchema = defineEntity({
  name: 'ModuleInstallation',
  tableName: 'module_installation',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    moduleId: p.uuid(),
    instanceId: p.uuid(),
    /** The command that brings it. */
    commandId: p.uuid(),
    /** The last command that removes it again. */
    removalId: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ModuleInstallation extends ModuleInstallationSchema.class {}
ModuleInstallationSchema.setClass(ModuleInstallation);

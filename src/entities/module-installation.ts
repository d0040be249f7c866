// The installation of a module on an instance; its commands hold the outcome.
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
    /** The command that installs it. */
    commandId: p.uuid(),
    /** The last command that removes it. */
    removalId: p.uuid().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ModuleInstallation extends ModuleInstallationSchema.class {}
ModuleInstallationSchema.setClass(ModuleInstallation);

// A file in the storage, from before its first byte is written until after its removal.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** Jobs remove abandoned `arriving` files and `unwanted` files. */
export const storedFileStates = ['arriving', 'kept', 'unwanted'] as const;

export const StoredFileSchema = defineEntity({
  name: 'StoredFile',
  tableName: 'stored_file',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.enum(['maps', 'archive'] as const),
    state: p.enum(storedFileStates).default('arriving'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class StoredFile extends StoredFileSchema.class {}
StoredFileSchema.setClass(StoredFile);

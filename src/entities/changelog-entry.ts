// A release note of the platform, public once it is published.
import { defineEntity, p } from '@mikro-orm/core';

export const ChangelogEntrySchema = defineEntity({
  name: 'ChangelogEntry',
  tableName: 'changelog_entry',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    title: p.text(),
    text: p.text(),
    /** Null for a draft. */
    publishedAt: p.datetime().nullable(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ChangelogEntry extends ChangelogEntrySchema.class {}
ChangelogEntrySchema.setClass(ChangelogEntry);

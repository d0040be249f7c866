// The archive of closed months: which months it has, and the numbers that stand for players in it.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const archiveSources = ['sessions', 'stats_5m', 'stats_hours'] as const;
export type ArchiveSource = (typeof archiveSources)[number];

/** A month of a license's sessions or stats; written after its file was verified. */
export const ArchivedMonthSchema = defineEntity({
  name: 'ArchivedMonth',
  tableName: 'archived_month',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    source: p.enum(archiveSources).primary(),
    /** Its first day. */
    month: p.date().primary(),
    fileId: p.uuid(),
    rowCount: p.bigint('number'),
    bytes: p.bigint('number'),
    sha256: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ArchivedMonth extends ArchivedMonthSchema.class {}
ArchivedMonthSchema.setClass(ArchivedMonth);

/** The number that stands for a player in the archive of a license; deleted with the player. */
export const ArchivedPlayerSchema = defineEntity({
  name: 'ArchivedPlayer',
  tableName: 'archived_player',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    steamId: p.text().primary(),
    /** Given by the database. */
    number: p.bigint('number'),
  },
});
export class ArchivedPlayer extends ArchivedPlayerSchema.class {}
ArchivedPlayerSchema.setClass(ArchivedPlayer);

/** A month of a source that the archive has of every license. */
export const ArchiveCompletionSchema = defineEntity({
  name: 'ArchiveCompletion',
  tableName: 'archive_completion',
  properties: {
    source: p.enum(archiveSources).primary(),
    month: p.date().primary(),
    completedAt: p.datetime().defaultRaw('now()'),
  },
});
export class ArchiveCompletion extends ArchiveCompletionSchema.class {}
ArchiveCompletionSchema.setClass(ArchiveCompletion);

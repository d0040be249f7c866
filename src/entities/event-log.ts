// The event log: what happened in a license, numbered in the order of the commits; partitioned by day, never changed.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const EventLogEntrySchema = defineEntity({
  name: 'EventLogEntry',
  tableName: 'event_log',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    /** Does not fall while `seq` rises. */
    recordedAt: p.datetime().primary(),
    /** Without gaps within the license. */
    seq: p.bigint('number').primary(),
    id: p.uuid(),
    type: p.text(),
    subjectType: p.text(),
    subjectId: p.text(),
    instanceId: p.uuid().nullable(),
    hostId: p.uuid().nullable(),
    /** When it happened. */
    occurredAt: p.datetime(),
    actorKind: p.text().nullable(),
    actorLabel: p.text().nullable(),
    data: p.json<Record<string, unknown>>(),
  },
});
export class EventLogEntry extends EventLogEntrySchema.class {}
EventLogEntrySchema.setClass(EventLogEntry);

/** The newest event of a license. */
export const EventSequenceSchema = defineEntity({
  name: 'EventSequence',
  tableName: 'event_sequence',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    lastSeq: p.bigint('number'),
    lastId: p.uuid(),
    lastAt: p.datetime(),
    /** Whether the relay has events to send, or has not found out yet that it has none. */
    hasNews: p.boolean().default(false),
  },
});
export class EventSequence extends EventSequenceSchema.class {}
EventSequenceSchema.setClass(EventSequence);

/** How far the events of a license were handed to its webhooks. */
export const EventRelaySchema = defineEntity({
  name: 'EventRelay',
  tableName: 'event_relay',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    seq: p.bigint('number'),
    at: p.datetime(),
  },
});
export class EventRelay extends EventRelaySchema.class {}
EventRelaySchema.setClass(EventRelay);

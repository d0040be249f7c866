// Player sessions counted by the day of their start, and playing time by quarter hour.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** The scope of a count: an instance, a played map, or the whole license. */
const scopeId = () => p.uuid().primary();

/** Represents the whole license. */
export const wholeLicense = '00000000-0000-0000-0000-000000000000';

export const SessionDaySchema = defineEntity({
  name: 'SessionDay',
  tableName: 'session_day',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    scopeId: scopeId(),
    /** A day in UTC; `-infinity` for the sum of all days. */
    day: p.date().primary(),
    /** Class of the session length; 0 if the length is unknown. */
    lengthClass: p.integer().primary(),
    sessions: p.bigint('number'),
    milliseconds: p.bigint('number'),
  },
});
export class SessionDay extends SessionDaySchema.class {}
SessionDaySchema.setClass(SessionDay);

export const SessionQuarterSchema = defineEntity({
  name: 'SessionQuarter',
  tableName: 'session_quarter',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    scopeId: scopeId(),
    quarterAt: p.datetime().primary(),
    /** Playing time of all players within the quarter hour. */
    milliseconds: p.bigint('number'),
  },
});
export class SessionQuarter extends SessionQuarterSchema.class {}
SessionQuarterSchema.setClass(SessionQuarter);

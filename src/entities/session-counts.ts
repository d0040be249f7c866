// Sessions of players, counted by the day on which they began, and the time that players spent, by quarters of hours.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** Whose sessions a count is of: an instance's, a played map's, or those of the whole license. */
const scopeId = () => p.uuid().primary();

/** Stands for the whole license. */
export const wholeLicense = '00000000-0000-0000-0000-000000000000';

export const SessionDaySchema = defineEntity({
  name: 'SessionDay',
  tableName: 'session_day',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    scopeId: scopeId(),
    /** Of UTC; `-infinity` for the sum of all days. */
    day: p.date().primary(),
    /** How long they lasted; 0 for those of which that is not known. */
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
    /** That players spent within it, all of them together. */
    milliseconds: p.bigint('number'),
  },
});
export class SessionQuarter extends SessionQuarterSchema.class {}
SessionQuarterSchema.setClass(SessionQuarter);

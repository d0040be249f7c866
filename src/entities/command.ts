// Something an agent was asked to do, from the request to its end.
import { defineEntity, p } from '@mikro-orm/core';
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

/** `sent` is on its way to the agent. `unconfirmed` is an end: the game server was sent it and confirms nothing. */
export const commandStatuses = [
  'queued',
  'sent',
  'acknowledged',
  'succeeded',
  'unconfirmed',
  'failed',
  'expired',
] as const;

export const CommandSchema = defineEntity({
  name: 'Command',
  tableName: 'command',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    hostId: p.uuid(),
    /** Null where the instance has no row: not yet, or not any more. Then it has the instance's name. */
    instanceId: p.uuid().nullable(),
    instanceName: p.text().nullable(),
    kind: p.text().$type<CommandVerb>(),
    args: p.json<Record<string, unknown>>(),
    status: p.enum(commandStatuses).default('queued'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    /** What the game server printed for it; cleared long before the command goes. */
    output: p.json<BusSchemas['CommandOutput']>().nullable(),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    sentAt: p.datetime().nullable(),
    acknowledgedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    expiresAt: p.datetime(),
  },
});
export class Command extends CommandSchema.class {}
CommandSchema.setClass(Command);

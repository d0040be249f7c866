// A command for an agent, from its request to its result.
import { defineEntity, p } from '@mikro-orm/core';
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

/**
 * `sent` is on its way to the agent. `unconfirmed` is final: the game server received the command but confirms nothing.
 */
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
    /** Null if the instance has no row, because it does not exist yet or any more. Its name is stored then. */
    instanceId: p.uuid().nullable(),
    instanceName: p.text().nullable(),
    kind: p.text().$type<CommandVerb>(),
    args: p.json<Record<string, unknown>>(),
    status: p.enum(commandStatuses).default('queued'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    /** The game server's output; cleared long before the command is deleted. */
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

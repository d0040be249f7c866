// A single-use ticket that opens one console socket.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ConsoleTicketSchema = defineEntity({
  name: 'ConsoleTicket',
  tableName: 'console_ticket',
  ...tenantTable,
  properties: {
    tokenHash: p.text().primary(),
    licenseId: tenantColumns.licenseId(),
    instanceId: p.uuid(),
    sessionId: p.uuid(),
    expiresAt: p.datetime(),
  },
});
export class ConsoleTicket extends ConsoleTicketSchema.class {}
ConsoleTicketSchema.setClass(ConsoleTicket);

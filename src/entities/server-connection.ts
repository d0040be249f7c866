// The legacy per-server connection record, updated with each heartbeat for callers that still read it.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ServerConnectionSchema = defineEntity({
  name: 'ServerConnection',
  tableName: 'server_connection',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    hostname: p.text(),
    serverName: p.text(),
    isConnected: p.boolean(),
    agentVersion: p.text(),
    lastHeartbeatAt: p.datetime(),
  },
});
export class ServerConnection extends ServerConnectionSchema.class {}
ServerConnectionSchema.setClass(ServerConnection);

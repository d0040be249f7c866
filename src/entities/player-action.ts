// An action against a player of a game server, or a note about the player: actor, reason, duration and outcome.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const playerActionKinds = ['kick', 'ban', 'unban', 'message', 'note'] as const;
export const playerActionStatuses = ['pending', 'succeeded', 'failed', 'expired'] as const;

export const PlayerActionSchema = defineEntity({
  name: 'PlayerAction',
  tableName: 'player_action',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    instanceId: p.uuid().nullable(),
    instanceName: p.text(),
    commandId: p.uuid().nullable(),
    kind: p.enum(playerActionKinds),
    steamId: p.text(),
    text: p.text().nullable(),
    until: p.datetime().nullable(),
    requestedBy: p.text().nullable(),
    status: p.enum(playerActionStatuses).default('pending'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    liftTriedAt: p.datetime().nullable(),
  },
});
export class PlayerAction extends PlayerActionSchema.class {}
PlayerActionSchema.setClass(PlayerAction);

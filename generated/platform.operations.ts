// Generated from the contract; edit the contract instead.

/** Operations that nobody needs to sign in for. */
export const publicOperations: ReadonlySet<string> = new Set([
  'POST /auth/bootstrap',
  'POST /auth/login',
  'POST /auth/login/totp',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /auth/refresh',
  'POST /auth/logout',
  'POST /auth/invitations/accept',
]);

/** Operations that do a thing once for each Idempotency-Key. */
export const idempotentOperations: ReadonlySet<string> = new Set([
  'POST /api/admin/changelog',
  'POST /api/admin/licenses',
  'POST /api/api-keys',
  'POST /api/fleet/clusters',
  'POST /api/instances/{instance_id}/backups',
  'POST /api/instances/{instance_id}/backups/{backup_id}/restore',
  'POST /api/instances/{instance_id}/files/archives',
  'POST /api/instances/{instance_id}/files/extractions',
  'POST /api/instances/{instance_id}/start',
  'POST /api/instances/{instance_id}/stop',
  'POST /api/instances/{instance_id}/restart',
  'POST /api/instances/{instance_id}/players/{steam_id}/kick',
  'POST /api/instances/{instance_id}/players/{steam_id}/ban',
  'POST /api/instances/{instance_id}/players/{steam_id}/unban',
  'POST /api/instances/{instance_id}/players/{steam_id}/message',
  'POST /api/instances/{instance_id}/wipes',
  'POST /api/license/rotate-companion-token',
  'POST /api/license/rotate-key',
  'POST /api/roles',
  'POST /api/roles/{role_id}/duplicate',
  'POST /api/schedules',
  'POST /api/schedules/{schedule_id}/runs',
  'POST /api/wipes/{wipe_id}/cancel',
  'POST /api/team/invitations',
]);

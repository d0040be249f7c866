// The backups of the server that is shown.
import { getRouteApi } from '@tanstack/react-router';
import type { ReadPath, Schemas } from '../api/operations.ts';

export type Backup = Schemas['InstanceBackup'];
export type BackupKind = Backup['kind'];

/** What changes when a backup is made, changed, restored or deleted. */
export const refreshes: readonly ReadPath[] = [
  '/api/instances/{instance_id}/backups',
  '/api/instances/{instance_id}/backups/{backup_id}',
  '/api/commands',
];

export const maxNoteLength = 200;

const route = getRouteApi('/frame/licensed/servers/$instanceId');

export const useInstanceId = (): string => route.useParams().instanceId;

export type Asking =
  | { kind: 'create' }
  | { kind: 'restore'; backup: Backup }
  | { kind: 'pin'; backup: Backup }
  | { kind: 'note'; backup: Backup }
  | { kind: 'delete'; backup: Backup };

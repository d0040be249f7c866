// Declares the dependencies of one wipe.
import type { Logger } from 'pino';
import type { InstanceBackups } from '../backups/instance-backups.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { SaveFolder } from './save-folder.ts';
import type { WipeRecord, WipeRecordFile } from './wipe-record.ts';

export interface WipeParts {
  instance: Instance;
  /** Throws when the configuration names no save folder that can be wiped. */
  folder: () => SaveFolder;
  backups: () => Pick<InstanceBackups, 'create' | 'restore'>;
  /** Called when the instance has one more backup. */
  onBackup: () => void;
  file: WipeRecordFile;
  /** Resolves once the report is on disk and will be delivered. */
  report: (record: WipeRecord) => Promise<void>;
  /** Resolves once the platform has had time to cancel a wipe that it requested before the agent was away. */
  heard: () => Promise<void>;
  /** Resolves once no conflicting command is running on the instance. */
  free: () => Promise<void>;
  /** The platform's time, in which `dueAtMs` is given. */
  nowMs: () => number;
  log: Logger;
}

// What one wipe works with.
import type { Logger } from 'pino';
import type { InstanceBackups } from '../backups/instance-backups.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { SaveFolder } from './save-folder.ts';
import type { WipeRecord, WipeRecordFile } from './wipe-record.ts';

export interface WipeParts {
  instance: Instance;
  /** Throws where the configuration names none that can be wiped. */
  folder: () => SaveFolder;
  backups: () => Pick<InstanceBackups, 'create' | 'restore'>;
  /** There is one more. */
  onBackup: () => void;
  file: WipeRecordFile;
  /** Resolves once it is on disk that this is to be told. */
  report: (record: WipeRecord) => Promise<void>;
  /** Resolves once the platform could take back what it asked for before the agent was away. */
  heard: () => Promise<void>;
  /** Resolves once no command is under way that would come in the way. */
  free: () => Promise<void>;
  /** The platform's time, in which it is due. */
  nowMs: () => number;
  log: Logger;
}

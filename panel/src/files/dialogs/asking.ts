// Questions to the user about files.
import type { InstanceFile } from '../folder.ts';

export type Asking =
  | { kind: 'newFolder' }
  | { kind: 'newFile' }
  | { kind: 'rename'; file: InstanceFile }
  | { kind: 'move'; files: readonly InstanceFile[] }
  | { kind: 'archive'; files: readonly InstanceFile[] }
  | { kind: 'extract'; file: InstanceFile }
  | { kind: 'delete'; files: readonly InstanceFile[] }
  | { kind: 'properties'; file: InstanceFile };

// The backups of an instance whose root is `root` and that are kept in `kept`, both in that directory.
import { join } from 'node:path';
import { pino } from 'pino';
import { InstanceBackups } from '../../../agent/src/backups/instance-backups.ts';
import { InstanceFiles } from '../../../agent/src/instance-files/instance-files.ts';
import { OwnPaths } from '../../../agent/src/instance-files/own-paths.ts';
import { Messages } from '../../../agent/src/messages.ts';

const log = pino({ level: 'silent' });

export function openFiles(directory: string): InstanceFiles {
  const root = join(directory, 'root');
  const temporaryDirectory = join(directory, 'temporary');
  const own = new OwnPaths([join(directory, 'kept')]);
  return new InstanceFiles({ root, own, temporaryDirectory, log });
}

export function openBackups(directory: string, files = openFiles(directory)): InstanceBackups {
  return new InstanceBackups({
    directory: join(directory, 'kept'),
    root: join(directory, 'root'),
    files,
    messages: new Messages(),
    nowText: () => new Date().toISOString(),
    log,
  });
}

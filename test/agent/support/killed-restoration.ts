// Restores a backup in a process of its own that kills itself before its nth change of the file system. It becomes the
// user it is given once its code is read, which that user need not be able to.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [directory = '', id = '', last = '', user = ''] = process.argv.slice(2);

let left = Number(last);
const changing = ['mkdir', 'rename', 'rm', 'rmdir', 'unlink'] as const;
for (const name of changing) {
  const change = fs[name] as (...args: unknown[]) => Promise<unknown>;
  const counted = (...args: unknown[]) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return change(...args);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();

const { openBackups } = await import('./backups.ts');
process.setgroups?.([]);
process.setgid?.(Number(user));
process.setuid?.(Number(user));
await openBackups(directory).restore(id, { isRemovingLater: true, operation: 'the restoration' });

// The agent, which stops itself (SIGSTOP) before it moves the tenth map of another world.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

let moved = 0;
const { rename } = fs;
Object.assign(fs, {
  rename: (from: string, to: string) => {
    if (from.includes('proceduralmap.1000.') && ++moved === 10) process.kill(process.pid, 'SIGSTOP');
    return rename(from, to);
  },
});
syncBuiltinESMExports();

await import('../../../agent/src/main.ts');

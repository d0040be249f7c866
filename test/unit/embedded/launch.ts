// Launches gantry-process.ts and reads its first message.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Launched {
  child: ChildProcess;
  said: { opened?: boolean; postgres?: string; nats?: string; failure?: string };
  kill(): Promise<void>;
}

export async function launchGantry(...args: string[]): Promise<Launched> {
  const script = join(import.meta.dirname, 'gantry-process.ts');
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    child,
    said: JSON.parse(line) as Launched['said'],
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

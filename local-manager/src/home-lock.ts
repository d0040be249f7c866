// Keeps two managers from sharing one home directory, with a machine-wide socket name that only one can hold.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { ConfigError } from './config.ts';

/** The operating system frees the name when its process ends in any way. */
export async function lockHome(home: string): Promise<() => void> {
  const name = `gantry-${createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 32)}`;
  const server: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigError(`Another manager runs with ${home}: end it, or set LOCAL_MANAGER_HOME.`)
          : error,
      ),
    );
    server.listen(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`, resolve);
  });
  server.unref();
  return () => void server.close();
}

// Gives an embedded service a port on 127.0.0.1 and stores it, so that clients find it again after a restart.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ConfigError } from '../process/environment.ts';
import { readIfPresent, writePrivateFile } from '../process/files.ts';

// Below the ephemeral port range, so that no outgoing connection occupies our port while the service is down.
const LOWEST = 20_000;
const HIGHEST = 29_999;
const TRIES = 50;

export async function choosePort(memoryFile: string): Promise<number> {
  const remembered = Number(await readIfPresent(memoryFile));
  if (Number.isInteger(remembered) && remembered > 0 && remembered < 65_536) {
    if (await isPortFree(remembered)) return remembered;
  }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isPortFree(port)) return port;
  }
  throw new ConfigError(`No free port on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
}

export async function rememberPort(memoryFile: string, port: number): Promise<void> {
  if (Number(await readIfPresent(memoryFile)) !== port) await writePrivateFile(memoryFile, `${port}\n`);
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Another process may take the port between the choice and the start; the start then tries another port. */
export async function startOnPort<T>(memoryFile: string, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort(memoryFile);
    try {
      const started = await start(port);
      await rememberPort(memoryFile, port);
      return started;
    } catch (error) {
      if (attempt === 3 || (await isPortFree(port))) throw error;
    }
  }
}

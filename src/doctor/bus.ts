// Examines the message bus: its program or its server, and whether it accepts the keys of this platform.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { laneConnector } from '../bus/connection.ts';
import type { Config } from '../config/index.ts';
import { obtainBusKeys } from '../embedded/infrastructure.ts';
import { findNatsServer } from '../embedded/nats-binary.ts';
import { isPortFree } from '../embedded/loopback-port.ts';
import { readIfPresent } from '../process/files.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

/** Older servers cannot close single connections, so a host's surplus connections stay. */
const oldestServer = [2, 10] as const;

export async function examineBus(config: Config, log: Logger): Promise<Finding[]> {
  if (config.nats.url !== undefined) return [await examineServer(config, config.nats.url)];
  const { serverBin } = config.nats;
  const program = await examineProgram({
    cacheDir: config.cacheDir,
    log,
    ...(serverBin !== undefined && { serverBin }),
  });
  const port = Number(await readIfPresent(join(config.dataDir, 'nats.port')));
  if (!(port > 0) || (await isPortFree(port))) return [program];
  return [program, await examineServer(config, `nats://127.0.0.1:${port}`)];
}

async function examineProgram(options: Parameters<typeof findNatsServer>[0]): Promise<Finding> {
  try {
    return ok('nats-server', await findNatsServer(options));
  } catch (error) {
    const reason = Error.isError(error) ? error.message : 'it was not found';
    return problem('nats-server', reason, 'apt-get install nats-server, or set NATS_SERVER_BIN or NATS_URL');
  }
}

async function examineServer(config: Config, url: string): Promise<Finding> {
  const check = 'bus';
  try {
    const connection = await laneConnector({ url, keys: await obtainBusKeys(config) })('platform');
    const version = connection.info?.version ?? '0.0';
    await connection.close();
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isOld = major < oldestServer[0] || (major === oldestServer[0] && minor < oldestServer[1]);
    return isOld
      ? warning(check, `nats-server ${version}`, `Upgrade nats-server to ${oldestServer.join('.')} or newer`)
      : ok(check, `nats-server ${version} accepts the keys`);
  } catch (error) {
    return problem(
      check,
      `${url}: ${Error.isError(error) ? error.message : 'the connection failed'}`,
      'Start nats-server with the configuration that "gantry nats-config" prints, or correct NATS_URL',
    );
  }
}

// Assembles the manager from its settings and shuts it down again.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { listen } from './listening.ts';
import { lockHome } from './home-lock.ts';
import { serveOperationsSocket } from './operations/socket.ts';
import { fieldsOf, jsonOf, textOf } from './parsing.ts';
import { Gate } from './security/gate.ts';
import { Secrets } from './security/secrets.ts';
import { createServices, type Services } from './services.ts';
import { writeWhole } from './whole-files.ts';

/** Reachable from this machine only. */
const host = '127.0.0.1';
const packageFile = resolve(import.meta.dirname, '../package.json');

export interface Manager {
  url: string;
  /** Opens the page with the token of this start. */
  link: string;
  token: string;
  port: number;
  services: Services;
  stop(): Promise<void>;
}

export async function readVersion(): Promise<string> {
  return textOf(fieldsOf(jsonOf(await readFile(packageFile, 'utf8')))['version']) ?? '0.0.0';
}

/** Longer than the poll interval of client programs: a request that arrives while its connection closes is lost. */
const idleConnectionMs = 75_000;

export async function startManager(
  config: Config,
  { log, validateReplies }: { log: Logger; validateReplies: boolean },
): Promise<Manager> {
  const gate = new Gate();
  const secrets = new Secrets();
  secrets.add(gate.token);
  await mkdir(config.home, { recursive: true, mode: 0o700 });
  const unlock = await lockHome(config.home);
  const services = createServices(config, { version: await readVersion(), log, secrets });
  const app = createApp({ services, gate, log, validateReplies });
  const server = createServer({ keepAliveTimeout: idleConnectionMs }, app);
  await listen(server, config.port, host).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  // No other manager runs here, so the stored operations are this one's. Until the gate knows its port, it refuses
  // every request.
  await services.operations.load();
  gate.port = port;
  const closeSockets = serveOperationsSocket({
    server,
    gate,
    operations: services.operations,
    audit: services.audit,
    boot: randomUUID(),
    log,
  });
  const url = `http://${host}:${port}`;
  const sessionFile = join(config.home, 'session.json');
  await writeWhole(sessionFile, JSON.stringify({ url, token: gate.token }));
  services.audit.add({ event: 'started', url });
  await services.backups.recover();
  await services.starter.recover();
  await services.exchange.recover();
  return {
    url,
    link: `${url}/?token=${gate.token}`,
    token: gate.token,
    port,
    services,
    stop: async () => {
      closeSockets();
      server.closeIdleConnections();
      const closed = new Promise<void>((done) => server.close(() => done()));
      await services.operations.stop();
      server.closeAllConnections();
      await closed;
      await services.audit.flush();
      await rm(sessionFile, { force: true });
      unlock();
    },
  };
}

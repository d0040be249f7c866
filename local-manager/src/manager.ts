// Assembles the manager from its settings and shuts it down again.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { refuseUnparsed } from '../../src/contract/unparsed-requests.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { listen } from './listening.ts';
import { lockHome } from './home-lock.ts';
import { serveOperationsSocket } from './operations/socket.ts';
import { readOwnFile } from './own-files.ts';
import { fieldsOf, jsonOf, textOf } from './parsing.ts';
import { problems } from './problems.ts';
import { BrowserSession } from './security/browser-session.ts';
import { Gate } from './security/gate.ts';
import { Secrets } from './security/secrets.ts';
import { createServices, type Services } from './services.ts';
import { writeWhole } from './whole-files.ts';

/** Reachable from this machine only. */
const host = '127.0.0.1';

export interface Manager {
  url: string;
  /** Opens the page with the token of this start. */
  link: string;
  token: string;
  port: number;
  services: Services;
  stop(): Promise<void>;
}

export function readVersion(): string {
  return textOf(fieldsOf(jsonOf(readOwnFile('package.json').toString('utf8')))['version']) ?? '0.0.0';
}

/** Longer than the poll interval of client programs: a request that arrives while its connection closes is lost. */
const idleConnectionMs = 75_000;

export async function startManager(
  config: Config,
  { log, validateReplies }: { log: Logger; validateReplies: boolean },
): Promise<Manager> {
  await mkdir(config.home, { recursive: true, mode: 0o700 });
  const unlock = await lockHome(config.home);
  const session = await BrowserSession.load(config.home).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const gate = new Gate(session);
  const secrets = new Secrets();
  secrets.add(gate.token);
  session.hideIn(secrets);
  const services = createServices(config, { version: readVersion(), log, secrets });
  const app = createApp({ services, gate, log, validateReplies });
  // The gate refuses requests without `Host` with a problem.
  const server = createServer({ keepAliveTimeout: idleConnectionMs, requireHostHeader: false }, app);
  refuseUnparsed({ server, problems, log });
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
  await writeWhole(sessionFile, JSON.stringify({ url, token: gate.token, pid: process.pid }));
  services.audit.add({ event: 'started', url });
  await services.backups.recover();
  await services.starter.recover();
  await services.exchange.recover();
  await services.automation.start();
  services.monitoring.start();
  return {
    url,
    link: `${url}/?token=${gate.token}`,
    token: gate.token,
    port,
    services,
    stop: async () => {
      await services.automation.stop();
      await services.monitoring.stop();
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

// Admits console sockets by their tickets, rechecks their users' access, and closes all sockets at shutdown.
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Bus } from '../bus/bus.ts';
import { isHandshake, type Upgrade, type UpgradeRefusal } from '../contract/upgrades.ts';
import { DomainError, isRefusal } from '../errors.ts';
import type { Metrics } from '../process/metrics.ts';
import { startPeriodic } from '../process/periodic.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import type { WorkMonitor } from '../process/work-monitor.ts';
import { concerns, type AccessChanges } from '../services/auth/access-changes.ts';
import type { Principals } from '../services/auth/principals.ts';
import type { UpgradeLimits } from '../rate-limits/upgrade-limits.ts';
import { ConsoleFeed } from './console-feed.ts';
import type { ConsoleSeat, ConsoleTickets } from '../services/console/index.ts';
import { Counts } from '../process/counts.ts';
import { createFrameReader } from './console-frames.ts';
import { closeCodes, ConsoleViewer } from './console-viewer.ts';

const path = /^\/api\/instances\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/console$/;

const maxFrameBytes = 16 * 1024;
const maxSocketsPerUser = 50;
/** When another socket may have closed; the ticket stays valid for longer. */
const surplusRetryAfterSeconds = 5;
/** How often sockets are rechecked, in case the announcement of a change was lost; this many at a time, the ones checked longest ago first. */
const checkEveryMs = 1_000;
const checkedAtOnce = 1_000;

export interface GatewayOptions {
  tickets: ConsoleTickets;
  principals: Principals;
  changes: AccessChanges;
  limits: UpgradeLimits;
  bus: Bus;
  metrics: Metrics;
  monitor: WorkMonitor;
  log: Logger;
}

export interface ConsoleGateway {
  /** Opens a console if the request has a valid ticket; otherwise returns the refusal. */
  take: (upgrade: Upgrade, source: string) => Promise<UpgradeRefusal | undefined>;
  /** Closes all sockets. */
  close: () => Promise<void>;
}

export function startConsoleGateway(options: GatewayOptions): ConsoleGateway {
  const { tickets, principals, changes, limits, bus, metrics, monitor, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  const feed = new ConsoleFeed(bus, log);
  const readFrame = createFrameReader();
  const viewers = new Set<ConsoleViewer>();
  const socketsOfUsers = new Counts();
  const alive = new WeakSet<object>();
  const throttled = new ThrottledLogger();

  async function take(upgrade: Upgrade, source: string): Promise<UpgradeRefusal | undefined> {
    try {
      return await admit(upgrade, source);
    } catch (error) {
      if (isRefusal(error))
        return error.code === 'rate_limited'
          ? { code: 'rate_limited', retryAfterSeconds: surplusRetryAfterSeconds }
          : { code: 'unauthorized' };
      throttled.once('admission', () => log.error({ err: error }, 'a console socket could not be opened'));
      return { code: 'unavailable' };
    }
  }

  async function admit(
    { request, socket, head }: Upgrade,
    source: string,
  ): Promise<UpgradeRefusal | undefined> {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const instanceId = path.exec(url?.pathname ?? '')?.[1];
    if (url === null || instanceId === undefined) return { code: 'not_found' };
    const ticket = url.searchParams.get('ticket') ?? '';
    // A ticket was counted when it was issued: unauthenticated callers at the same address must not exclude its holder.
    if (!tickets.isGenuine(ticket, instanceId)) {
      const { retryAfterSeconds } = await limits.admit('console', source);
      return retryAfterSeconds === undefined
        ? { code: 'unauthorized' }
        : { code: 'rate_limited', retryAfterSeconds };
    }
    if (!isHandshake(request)) return { code: 'invalid_handshake' };
    let release = () => undefined as void;
    // Before the ticket is consumed, so that sockets which open at the same time do not exceed the limit together.
    const reserve = (userId: string) => {
      if (socketsOfUsers.of(userId) >= maxSocketsPerUser)
        throw new DomainError('rate_limited', 'Too many open console sockets; close one.');
      socketsOfUsers.add(userId, 1);
      release = () => socketsOfUsers.add(userId, -1);
    };
    try {
      const seat = await tickets.redeem(ticket, instanceId, reserve);
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        open(webSocket, seat, release);
        release = () => undefined;
      });
    } finally {
      // A socket that has opened keeps its place until it closes.
      release();
    }
    return undefined;
  }

  function open(webSocket: WebSocket, seat: ConsoleSeat, release: () => void): void {
    const viewer = new ConsoleViewer({ socket: webSocket, seat, feed, bus, readFrame, log });
    viewers.add(viewer);
    metrics.consoleSockets.set(viewers.size);
    alive.add(webSocket);
    webSocket.on('pong', () => alive.add(webSocket));
    webSocket.on('close', () => {
      viewers.delete(viewer);
      release();
      metrics.consoleSockets.set(viewers.size);
    });
    viewer.open().catch((error: unknown) => {
      log.error({ err: error }, 'a console socket failed');
      viewer.close(closeCodes.failed, 'internal error');
    });
  }

  /** Ends the sockets whose users have no access any more. */
  async function recheckAccess(of: readonly ConsoleViewer[]): Promise<void> {
    const claims = of.map(({ seat: { user, licenseId } }) => ({
      sub: user.userId,
      sid: user.sessionId,
      license_id: licenseId,
    }));
    const users = await principals.findAll(claims);
    for (const [index, viewer] of of.entries()) viewer.reconsider(users[index]);
  }

  async function checkViewers(): Promise<void> {
    // Sockets that open during the lookup are checked in a later run.
    for (const viewer of viewers)
      if (viewer.isExpired(Date.now()))
        viewer.close(closeCodes.goingAway, 'open for 12 hours; ask for another ticket');
    const next = [...viewers].slice(0, checkedAtOnce);
    if (next.length === 0) return;
    for (const viewer of next) {
      // To the end of the order, unless it has closed.
      viewers.delete(viewer);
      viewers.add(viewer);
    }
    const there = await tickets.existing([...new Set(next.map(({ seat }) => seat.instanceId))]);
    for (const viewer of next)
      if (!there.has(viewer.seat.instanceId)) viewer.close(closeCodes.instanceGone, 'the instance is gone');
    await recheckAccess(next);
  }

  const stopListening = changes.on((change) => {
    const concerned = [...viewers].filter(({ seat: { user, licenseId } }) =>
      concerns(change, { userId: user.userId, sessionId: user.sessionId, licenseId }),
    );
    if (concerned.length === 0) return;
    recheckAccess(concerned).catch((error: unknown) =>
      throttled.once('recheck', () =>
        log.warn({ err: error }, 'the access of console sockets could not be checked'),
      ),
    );
  });
  const stopChecking = startPeriodic({
    name: 'look over console sockets',
    everyMs: checkEveryMs,
    work: checkViewers,
    monitor,
    log,
  });
  const stopPinging = startPeriodic({
    name: 'ping console sockets',
    everyMs: 30_000,
    work: async () => {
      for (const webSocket of sockets.clients) {
        if (!alive.delete(webSocket)) webSocket.terminate();
        else webSocket.ping();
      }
    },
    monitor,
    log,
  });

  return {
    take,
    close: async () => {
      stopListening();
      await Promise.all([stopChecking(), stopPinging()]);
      for (const viewer of viewers) viewer.close(closeCodes.goingAway, 'the server is going down');
      sockets.close();
    },
  };
}

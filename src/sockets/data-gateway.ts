// Opens the data connections of agents, over which contents of files travel, for those with a valid ticket.
import type { Duplex } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { isHandshake, type Upgrade, type UpgradeRefusal } from '../contract/upgrades.ts';
import type { UpgradeLimits } from '../rate-limits/upgrade-limits.ts';
import type { DataConnections } from '../services/files/data-connections.ts';

/** The path on the platform's address that agents connect to. */
export const filesPath = '/api/agent/files';

const maxMessageBytes = 1024 * 1024;
/** Bytes that wait to be sent to an agent. */
const maxUnsentBytes = 1024 * 1024;
/** Messages that wait to be read; an agent that sends more is not read from. */
const maxUnread = 2;

export interface DataGateway {
  /** Opens the connection if the request has a valid ticket; otherwise returns the refusal. */
  take: (upgrade: Upgrade, source: string) => Promise<UpgradeRefusal | undefined>;
  /** Ends all connections. */
  close: () => void;
}

export function startDataGateway(connections: DataConnections, limits: UpgradeLimits): DataGateway {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  connections.serve(true);

  async function take(
    { request, socket, head }: Upgrade,
    source: string,
  ): Promise<UpgradeRefusal | undefined> {
    if (!isHandshake(request)) return { code: 'invalid_handshake' };
    const ticket = headerOf(request.headers, 'gantry-ticket');
    if (!connections.isGenuine(ticket)) {
      const { retryAfterSeconds } = await limits.admit('agent-files', source);
      return retryAfterSeconds === undefined
        ? { code: 'unauthorized' }
        : { code: 'rate_limited', retryAfterSeconds };
    }
    const arrive = await connections.admit(ticket, headerOf(request.headers, 'gantry-signature'));
    if (typeof arrive === 'string') return { code: arrive };
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stream: Duplex = createWebSocketStream(webSocket, {
        readableObjectMode: true,
        readableHighWaterMark: maxUnread,
        writableHighWaterMark: maxUnsentBytes,
        decodeStrings: false,
      });
      stream.on('error', () => undefined); // the transfer sees that its connection is closed
      arrive(stream);
    });
    return undefined;
  }

  return {
    take,
    close: () => {
      connections.serve(false);
      for (const webSocket of sockets.clients) webSocket.terminate();
      sockets.close();
    },
  };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

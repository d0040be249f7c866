// Opens a connection to the bus, over TCP or a WebSocket.
import { connect, wsconnect } from '@nats-io/transport-node';
import type { ConnectionOptions, NatsConnection, WsSocketFactory } from '@nats-io/transport-node';
import { WebSocket } from 'ws';
import { authenticatorOf } from '../../../shared/nkeys.ts';
import type { Subjects } from './subjects.ts';

export interface DialOptions {
  urls: string[];
  /** Whether the first address that replies is taken; a random one otherwise. */
  isOrdered?: boolean;
  name: string;
  subjects: Subjects;
  seed: () => Uint8Array;
  jwt: () => string;
}

export const connectTimeoutMs = 5_000;

/** Node's own WebSocket never says why it could not connect; `ws` names the certificate or the status. */
const openWebSocket: WsSocketFactory = (url) =>
  Promise.resolve({
    socket: new WebSocket(url, {
      perMessageDeflate: false,
      handshakeTimeout: connectTimeoutMs,
    }) as unknown as globalThis.WebSocket,
    encrypted: url.startsWith('wss:'),
  });

export function dial(options: DialOptions): Promise<NatsConnection> {
  const settings: ConnectionOptions = {
    servers: options.urls,
    noRandomize: options.isOrdered ?? false,
    name: options.name,
    inboxPrefix: options.subjects.inboxPrefix,
    authenticator: authenticatorOf(options.jwt, options.seed),
    ignoreAuthErrorAbort: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 1_000,
    reconnectJitter: 1_000,
    pingInterval: 20_000,
    maxPingOut: 2,
    timeout: connectTimeoutMs,
  };
  const isWebSocket = /^wss?:/.test(options.urls[0] ?? '');
  return isWebSocket
    ? wsconnect({ ...settings, ignoreClusterUpdates: true, wsFactory: openWebSocket })
    : connect(settings);
}

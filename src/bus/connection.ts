// Opens the connections of the platform to NATS, one for each lane.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { authenticatorOf, createConnectionKey, UserJwtSigner, type BusKeys } from './keys.ts';

/**
 * Agents' messages use separate connections, because NATS disconnects a client that reads too slowly. Agents that send
 * too much must not disturb the platform's own messages, a flooded console must not delay heartbeats, and heartbeats
 * must not delay other reports. Files have a lane, too, so that nothing waits behind a large one.
 */
export const lanes = ['platform', 'heartbeats', 'ingest', 'consoles', 'files'] as const;
/** Without one of these, agents cannot be heard or cannot receive requests. */
export const essentialLanes: readonly Lane[] = ['platform', 'heartbeats', 'ingest'];
export type Lane = (typeof lanes)[number];
/** Whether a host is silent is judged by the messages of this lane. */
export const heartbeatLane: Lane = 'heartbeats';

interface LaneOptions {
  url: string;
  keys: BusKeys;
  pingMs?: number | undefined;
}

const defaultPingMs = 5_000;

/** Returns a function that opens the connection of a lane. All of them have the same key. */
export function laneConnector({ url, keys, pingMs = defaultPingMs }: LaneOptions) {
  const user = createConnectionKey();
  const jwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('platform', user.publicKey, {
    pub: { allow: ['>'] },
    sub: { allow: ['>'] },
    subs: -1,
    data: -1,
    payload: -1,
  });
  const authenticator = authenticatorOf(jwt, user);
  return (lane: Lane): Promise<NatsConnection> =>
    connect({
      servers: url.split(','),
      name: `gantry-${lane}`,
      authenticator,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      ignoreAuthErrorAbort: true,
      pingInterval: pingMs,
      maxPingOut: 2,
      timeout: 5_000,
    });
}

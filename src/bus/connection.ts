// Opens the connections of the platform to NATS, one for each lane.
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { createConnectionKey, UserJwtSigner, type BusKeys } from './keys.ts';

/**
 * Messages of agents come over connections of their own: NATS cuts off a client that reads too slowly, and agents that
 * send too much must not cost the platform its own talk, nor a flooded console the heartbeats, nor heartbeats the other
 * reports. Files have one too, so that nothing waits behind a large one.
 */
export const lanes = ['platform', 'heartbeats', 'ingest', 'consoles', 'files'] as const;
/** Without one of these, agents are not heard or cannot be asked. */
export const essentialLanes: readonly Lane[] = ['platform', 'heartbeats', 'ingest'];
export type Lane = (typeof lanes)[number];
/** Silence of hosts is judged by what this one has received. */
export const heartbeatLane: Lane = 'heartbeats';

interface LaneOptions {
  url: string;
  keys: BusKeys;
  pingMs?: number | undefined;
}

const defaultPingMs = 5_000;

export function connectLane(
  { url, keys, pingMs = defaultPingMs }: LaneOptions,
  lane: Lane,
): Promise<NatsConnection> {
  const user = createConnectionKey();
  const jwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('platform', user.publicKey, {
    pub: { allow: ['>'] },
    sub: { allow: ['>'] },
    subs: -1,
    data: -1,
    payload: -1,
  });
  return connect({
    servers: url.split(','),
    name: `gantry-${lane}`,
    authenticator: jwtAuthenticator(jwt, user.seed),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
    maxPingOut: 2,
    timeout: 5_000,
  });
}

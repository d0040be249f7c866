// Opens the connections of the platform to NATS: one for each lane, and those to the system account.
import { connect, type Authenticator, type NatsConnection } from '@nats-io/transport-node';
import { unlimitedUser, UserJwtSigner, type BusKeys } from './keys.ts';
import { authenticatorOf, createUserKey } from '../../shared/nkeys.ts';

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
export function laneConnector({ url, keys, pingMs }: LaneOptions) {
  const user = createUserKey();
  const jwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('platform', user.publicKey, {
    pub: { allow: ['>'] },
    sub: { allow: ['>'] },
    ...unlimitedUser,
  });
  const authenticator = authenticatorOf(jwt, user.seed);
  return (lane: Lane) => connectToBrokers({ url, name: `gantry-${lane}`, authenticator, pingMs });
}

interface SystemOptions {
  url: string;
  keys: BusKeys;
  name: string;
}

/** Subjects that a connection may use. */
interface Rights {
  pub: { allow?: string[]; deny?: string[] };
  sub: { allow: string[] };
}

/** Opens a connection to the system account, where brokers report about themselves, with these rights only. */
export function connectToSystem({ url, keys, name }: SystemOptions, rights: Rights): Promise<NatsConnection> {
  const user = createUserKey();
  const jwt = new UserJwtSigner(keys.systemSigning, keys.system).mint(name, user.publicKey, {
    ...rights,
    ...unlimitedUser,
  });
  return connectToBrokers({ url, name, authenticator: authenticatorOf(jwt, user.seed) });
}

interface BrokerOptions {
  url: string;
  name: string;
  authenticator: Authenticator;
  pingMs?: number | undefined;
}

/** Reconnects for as long as it takes, and detects a silent broker by its missing replies to pings. */
function connectToBrokers({
  url,
  name,
  authenticator,
  pingMs = defaultPingMs,
}: BrokerOptions): Promise<NatsConnection> {
  return connect({
    servers: url.split(','),
    name,
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

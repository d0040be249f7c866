// The connection of a benchmark that publishes what agents would.
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { UserJwtSigner, type BusKeys } from '../../src/bus/keys.ts';
import { createUserKey } from '../../shared/nkeys.ts';

export interface BusSettings {
  url: string;
  keys: BusKeys;
  prefix: string;
}

/** It may publish and subscribe to everything. */
export function connectAgents({ url, keys }: BusSettings): Promise<NatsConnection> {
  const user = createUserKey();
  const jwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('bench', user.publicKey, {
    pub: { allow: ['>'] },
    sub: { allow: ['>'] },
    subs: -1,
    data: -1,
    payload: -1,
  });
  return connect({ servers: url, authenticator: jwtAuthenticator(jwt, user.seed) });
}

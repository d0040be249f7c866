// Publishes heartbeats as agents would, in a process of its own.
import { randomUUID } from 'node:crypto';
import { connect, jwtAuthenticator } from '@nats-io/transport-node';
import { createConnectionKey, UserJwtSigner, type BusKeys } from '../../src/bus/keys.ts';
import { heartbeatOf } from '../support/heartbeats.ts';
import { settingsOfChild } from '../support/child.ts';

const { bus, hostIds } = settingsOfChild<{
  bus: { url: string; keys: BusKeys; prefix: string };
  hostIds: string[];
}>();
const user = createConnectionKey();
const jwt = new UserJwtSigner(bus.keys.platformSigning, bus.keys.account).mint('bench', user.publicKey, {
  pub: { allow: ['>'] },
  sub: { allow: ['>'] },
  subs: -1,
  data: -1,
  payload: -1,
});
const connection = await connect({ servers: bus.url, authenticator: jwtAuthenticator(jwt, user.seed) });
const boot = randomUUID();
let seq = 0;

process.on('message', ({ rounds }: { rounds: number }) => void publish(rounds));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });

async function publish(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    seq += 1;
    const payload = JSON.stringify(heartbeatOf(boot, seq));
    for (const hostId of hostIds) connection.publish(`${bus.prefix}.${hostId}.up.heartbeat`, payload);
    await connection.flush();
  }
  process.send?.({ published: rounds * hostIds.length });
}

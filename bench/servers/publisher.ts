// Publishes heartbeats as agents would, in a separate process.
import { randomUUID } from 'node:crypto';
import { heartbeatOf } from '../support/heartbeats.ts';
import { connectAgents, type BusSettings } from '../support/agents.ts';
import { settingsOfChild } from '../support/child.ts';

const { bus } = settingsOfChild<{ bus: BusSettings }>();
const connection = await connectAgents(bus);
const boot = randomUUID();
let seq = 0;

interface Question {
  hostIds: string[];
  /** Of each host; five unless given. */
  instances?: number;
}

process.on('message', (question: Question) => void publish(question));
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });

/** One heartbeat of each host. */
async function publish({ hostIds, instances }: Question): Promise<void> {
  seq += 1;
  const payload = JSON.stringify(heartbeatOf(boot, seq, instances));
  for (const hostId of hostIds) connection.publish(`${bus.prefix}.${hostId}.up.heartbeat`, payload);
  await connection.flush();
  process.send?.({ published: hostIds.length });
}

// Heartbeats that wait for the database: ordered by host, and bounded.
import fc from 'fast-check';
import { WaitingHeartbeats, type WaitingHeartbeat } from '../../src/ingest/waiting-heartbeats.ts';

const heartbeat = (hostId: string, seq: number, instances = 1) =>
  ({
    hostId,
    beat: { seq, instances: Array.from({ length: instances }, () => ({})) },
    receivedAt: new Date(),
    receivedMs: seq,
  }) as unknown as WaitingHeartbeat;

const seqsOf = (items: readonly WaitingHeartbeat[], hostId: string) =>
  items.filter((item) => item.hostId === hostId).map(({ beat }) => beat.seq);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ host: fc.constantFrom('a', 'b', 'c'), instances: fc.nat(4) }),
  },
  { weight: 1, arbitrary: fc.constantFrom('take and keep', 'take and put back') },
);

it('are taken in the order of arrival, without the oldest where there were too many', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const bounds = { maxPerHost: 5, maxReports: 20 };
      const waiting = new WaitingHeartbeats(bounds);
      const taken: WaitingHeartbeat[] = [];
      let [seq, dropped] = [0, 0];
      for (const next of steps) {
        if (typeof next === 'object') dropped += waiting.add(heartbeat(next.host, ++seq, next.instances));
        else {
          const some = waiting.takeSome(4);
          if (next === 'take and keep') taken.push(...some);
          else dropped += waiting.putBack(some);
        }
        expect(waiting.size).toBe(seq - dropped - taken.length);
      }
      const rest = waiting.takeSome(Infinity);
      expect(waiting.size).toBe(0);
      const reports = rest.reduce((sum, { beat }) => sum + beat.instances.length, 0);
      for (const host of ['a', 'b', 'c']) {
        expect(seqsOf(rest, host).length).toBeLessThanOrEqual(bounds.maxPerHost);
        const all = seqsOf([...taken, ...rest], host);
        expect(all).toEqual(all.toSorted((one, other) => one - other));
      }
      // One heartbeat of each host is kept, of any size.
      expect(reports).toBeLessThanOrEqual(bounds.maxReports + 3 * 4);
    }),
  );
});

it('keep the newest of each host with very little room', () => {
  const waiting = new WaitingHeartbeats({ maxPerHost: 60, maxReports: 3 });
  for (const seq of [1, 2, 3]) for (const host of ['a', 'b']) waiting.add(heartbeat(host, seq, 2));
  const rest = waiting.takeSome(Infinity);
  expect([seqsOf(rest, 'a').at(-1), seqsOf(rest, 'b').at(-1)]).toEqual([3, 3]);
});

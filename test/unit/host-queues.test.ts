// Message processing by host: ordered within a host, bounded within a license, and fair to other licenses.
import { HostQueues } from '../../src/ingest/host-queues.ts';

const bounds = { atOnce: 3, atOncePerLicense: 2, maxWaitingPerHost: 5, maxWaitingPerLicense: 8 };

/** Work that ends when the test ends it. */
function gates() {
  const open: (() => void)[] = [];
  const begun: string[] = [];
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name);
      open.push(resolve);
    });
  return { begun, work, finish: () => open.shift()?.() };
}

const settled = () => new Promise(setImmediate);

it('leaves capacity to other licenses, however many hosts of one license are busy', async () => {
  const turns = new HostQueues(bounds);
  const { begun, work, finish } = gates();
  for (const host of ['a1', 'a2', 'a3', 'a4']) expect(turns.take(host, 'a', work(host))).toBe(true);
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  turns.take('b1', 'b', work('b1'));
  turns.take('b2', 'b', work('b2'));
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (let turn = 0; turn < 6; turn += 1) {
    finish();
    await settled();
  }
  await turns.idle();
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
});

it('processes the messages of a host one after the other, in order', async () => {
  const turns = new HostQueues(bounds);
  const { begun, work, finish } = gates();
  for (const name of ['1', '2', '3']) turns.take('host', 'license', work(name));
  for (const expected of [['1'], ['1', '2'], ['1', '2', '3']]) {
    await settled();
    expect(begun).toEqual(expected);
    finish();
  }
  await turns.idle();
});

it('refuses messages beyond the bound of a host or a license, and accepts more afterwards', async () => {
  const turns = new HostQueues(bounds);
  const nothing = () => Promise.resolve();
  const taken = (host: string, count: number) =>
    Array.from({ length: count }, () => turns.take(host, 'license', nothing)).filter(Boolean).length;
  expect(taken('one', 7)).toBe(5);
  expect(taken('two', 7)).toBe(3);
  expect(turns.take('other', 'another license', nothing)).toBe(true);
  await turns.idle();
  expect(taken('two', 7)).toBe(5);
  await turns.idle();
});

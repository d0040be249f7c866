// How the page follows operations across broken sockets and restarts of the manager.
import {
  OperationsFeed,
  type Operation,
  type OperationLine,
} from '../../local-manager/web/src/operations/operations-feed.ts';
import { durationInWords, progressOf, sentenceOf } from '../../local-manager/web/src/operations/words.ts';
import { until } from '../support/until.ts';

const boot = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09';
const anotherBoot = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a10';

const operation: Operation = {
  id: boot,
  kind: 'startVm',
  state: 'running',
  steps: [],
  isCancellable: false,
  startedAt: '2026-11-21T10:00:00.000Z',
  endedAt: null,
  result: null,
  problem: null,
};

const line = (seq: number): OperationLine => ({
  seq,
  operationId: boot,
  at: '2026-11-21T10:00:00.000Z',
  stream: 'output',
  text: `line ${seq}`,
});

interface Joined {
  after: number;
  isClosed: boolean;
  send(frame: unknown): void;
  end(): void;
}

describe('the feed of operations', () => {
  let feed: OperationsFeed;
  let joined: Joined[];

  beforeEach(() => {
    joined = [];
    feed = new OperationsFeed((after, onText, onEnd) => {
      const socket: Joined = {
        after,
        isClosed: false,
        send: (frame) => onText(JSON.stringify(frame)),
        end: onEnd,
      };
      joined.push(socket);
      return () => (socket.isClosed = true);
    });
    feed.open();
  });

  afterEach(() => feed.close());

  const report = (...frames: unknown[]) => frames.forEach((frame) => joined.at(-1)?.send(frame));
  const seqs = () => feed.current().lines.map(({ seq }) => seq);

  it('begins with all stored lines, and adds new ones', () => {
    expect(joined[0]?.after).toBe(0);
    expect(feed.current().isOpen).toBeNull();
    report(
      { type: 'hello', boot, operation },
      { type: 'lines', lines: [line(1), line(2)], isTruncated: false },
    );
    expect(feed.current()).toMatchObject({ isOpen: true, operation, isTruncated: false });
    report({ type: 'operation', operation: { ...operation, state: 'succeeded' } });
    expect(feed.current().operation?.state).toBe('succeeded');
    expect(seqs()).toEqual([1, 2]);
  });

  it('reconnects after the last line when the socket breaks, and repeats no line', async () => {
    report(
      { type: 'hello', boot, operation },
      { type: 'lines', lines: [line(1), line(2)], isTruncated: false },
    );
    joined[0]?.end();
    expect(feed.current().isOpen).toBe(false);
    await until(() => joined.length === 2, 'another socket');
    expect(joined[1]?.after).toBe(2);
    report(
      { type: 'hello', boot, operation },
      { type: 'lines', lines: [line(2), line(3)], isTruncated: false },
    );
    expect(feed.current().isOpen).toBe(true);
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it('starts again with another start of the manager, which numbers its lines from one', async () => {
    report({ type: 'hello', boot, operation }, { type: 'lines', lines: [line(7)], isTruncated: true });
    joined[0]?.end();
    await until(() => joined.length === 2, 'another socket');
    report({ type: 'hello', boot: anotherBoot, operation: null });
    expect(joined[1]?.isClosed).toBe(true);
    expect(joined[2]?.after).toBe(0);
    report(
      { type: 'hello', boot: anotherBoot, operation: null },
      { type: 'lines', lines: [line(1)], isTruncated: false },
    );
    expect(feed.current()).toMatchObject({ operation: null, isTruncated: false });
    expect(seqs()).toEqual([1]);
  });

  it('keeps the last 5,000 lines and reports that there were more', () => {
    const lines = Array.from({ length: 5_010 }, (_, index) => line(index + 1));
    report({ type: 'hello', boot, operation }, { type: 'lines', lines, isTruncated: false });
    expect(feed.current().lines).toHaveLength(5_000);
    expect(feed.current().lines[0]?.seq).toBe(11);
    expect(feed.current().isTruncated).toBe(true);
  });

  it('notifies listeners until they unsubscribe', () => {
    let reported = 0;
    const leave = feed.subscribe(() => reported++);
    report({ type: 'hello', boot, operation });
    leave();
    report({ type: 'operation', operation });
    expect(reported).toBe(1);
  });
});

describe('the text of an operation', () => {
  it.each([
    [0, '0:00'],
    [67_900, '1:07'],
    [3_847_000, '1:04:07'],
    [-5, '0:00'],
  ])('shows %d ms as %s', (ms, words) => expect(durationInWords(ms)).toBe(words));

  it('shows the running step, the result, or the error', () => {
    const step = { name: 'Wait for its address', detail: null, startedAt: null, endedAt: null };
    const steps: Operation['steps'] = [
      { ...step, name: 'Start', state: 'succeeded' },
      { ...step, state: 'running' },
    ];
    expect(sentenceOf(operation)).toBe('Beginning');
    expect(sentenceOf({ ...operation, steps })).toBe('Wait for its address');
    expect(progressOf({ ...operation, steps })).toBe(50);
    expect(progressOf(operation)).toBeNull();
    expect(sentenceOf({ ...operation, state: 'succeeded', result: { summary: 'It runs.' } })).toBe(
      'It runs.',
    );
    expect(
      sentenceOf({ ...operation, state: 'failed', problem: { code: 'vm_off', detail: 'It is off.' } }),
    ).toBe('It is off.');
  });
});

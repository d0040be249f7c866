// What viewers of consoles are sent when there is more than one replica can send.
import { ConsoleBudget } from '../../src/sockets/console-budget.ts';
import { newestLines, type Batch } from '../../src/sockets/console-lines.ts';

const mebibyte = 1024 * 1024;

describe('the budget of a replica', () => {
  it('sends each batch at once with few viewers, and 20,000 frames a second at most with many', () => {
    const budget = new ConsoleBudget(() => 0);
    budget.watchers = 100;
    expect(budget.pauseMs).toBe(0);
    budget.watchers = 10_000;
    expect(budget.pauseMs).toBe(500);
  });

  it('keeps an equal share for each viewer, however much other consoles print', () => {
    const budget = new ConsoleBudget(() => 0);
    budget.watchers = 8_000;
    const [flooding, quiet] = [budget.newCredit(), budget.newCredit()];
    const start = performance.now();
    let sent = 0;
    for (let tick = 0; tick < 100; tick += 1) {
      const bytes = Math.min(budget.allowed(flooding, 4_000, start + tick * 100), mebibyte);
      budget.take(flooding, bytes, 4_000);
      sent += bytes * 4_000;
    }
    // Ten seconds: half of 64 MiB a second for all, the share of half of the viewers, and what was saved up before.
    const most = 10 * 32 * mebibyte + 10 * 16 * mebibyte + 32 * mebibyte + 4_000 * 16 * 1024;
    expect(sent).toBeLessThanOrEqual(most);
    expect(sent).toBeGreaterThan(0.9 * 10 * 48 * mebibyte);
    expect(budget.allowed(quiet, 40, start + 10_000)).toBeGreaterThanOrEqual(16 * 1024);
  });
});

describe('a busy replica', () => {
  it('sends half as much every quarter of a second, and in the end a twentieth', () => {
    let load = 0.9;
    const budget = new ConsoleBudget(() => load);
    budget.watchers = 4_000;
    const credit = budget.newCredit();
    let now = performance.now();
    const pausesOf = (turns: number) =>
      Array.from({ length: turns }, () => {
        budget.allowed(credit, 4_000, (now += 250));
        return Math.round(budget.pauseMs);
      });
    expect(pausesOf(3)).toEqual([400, 800, 1_000]);
    pausesOf(10);
    budget.take(credit, budget.allowed(credit, 4_000, now), 4_000);
    const most = budget.allowed(credit, 4_000, (now += 1_000)) * 4_000;
    expect(most).toBeLessThanOrEqual(0.051 * 64 * mebibyte + 4_000 * 16 * 1024);

    load = 0.5;
    expect(pausesOf(20).at(-1)).toBe(200);
  });
});

describe('the newest lines', () => {
  const message = (boot: string, from: number, count: number) =>
    Buffer.from(JSON.stringify({ boot, from, count }).padEnd(count * 100));
  const read = jest.fn((data: Uint8Array): Batch | undefined => {
    const { boot, from, count } = JSON.parse(Buffer.from(data).toString()) as {
      boot: string;
      from: number;
      count: number;
    };
    const lines = Array.from({ length: count }, (_, index) => ({
      seq: from + index,
      at: '2026-11-21T10:00:00.000Z',
      stream: 'stdout' as const,
      text: 'x',
    }));
    return { boot, lines };
  });
  const numbersOf = (batches: readonly Batch[]) =>
    batches.map(({ boot, lines }) => [boot, lines[0]?.seq, lines.at(-1)?.seq]);

  beforeEach(() => read.mockClear());

  it('are all of them where they fit, in one batch for each boot', () => {
    const messages = [message('first', 1, 10), message('second', 1, 10), message('second', 11, 5)];
    const { batches, bytes } = newestLines(messages, 2_500, read);
    expect(numbersOf(batches)).toEqual([
      ['first', 1, 10],
      ['second', 1, 15],
    ]);
    expect(bytes).toBe(2_500);
  });

  it('leave out older lines, whose messages are not read', () => {
    const messages = [message('first', 1, 10), message('first', 11, 10), message('first', 21, 10)];
    const { batches, bytes } = newestLines(messages, 1_350, read);
    expect(numbersOf(batches)).toEqual([['first', 18, 30]]);
    expect(bytes).toBe(1_300);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('are none where not even one fits', () => {
    expect(newestLines([message('first', 1, 1)], 50, read)).toEqual({ batches: [], bytes: 0 });
  });
});

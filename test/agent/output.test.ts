// Reading what a server prints: every line once, through cut characters and emptied files.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { ConsoleHistory } from '../../agent/src/console/console-history.ts';
import { Console } from '../../agent/src/console/console.ts';
import { FileTail } from '../../agent/src/console/file-tail.ts';
import { FlowBudget } from '../../agent/src/console/flow-budget.ts';
import { LineSplitter, maxLineLength } from '../../agent/src/console/line-splitter.ts';
import { until } from '../support/until.ts';

test('lines come out the same however their bytes are cut', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🎮', '\t'), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 7 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const splitter = new LineSplitter();
      const out: string[] = [];
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        out.push(...splitter.push(bytes.subarray(from, from + cut)));
        from = Math.min(bytes.length, from + cut);
      }
      expect(out).toEqual(lines);
      expect(splitter.pendingBytes).toBe(0);
    }),
  );
});

test('a line without an end is cut once and forgotten until its end', () => {
  const splitter = new LineSplitter();
  const out = Array.from({ length: 100 }, () => splitter.push(Buffer.alloc(1000, 'x'))).flat();
  expect(out).toEqual(['x'.repeat(maxLineLength)]);
  expect(splitter.push(Buffer.from('rest\nnext\n'))).toEqual(['next']);
});

test('a log that is too long is kept once and emptied, and no line is lost', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-agent-tail-'));
  const path = join(directory, 'stdout.log');
  writeFileSync(path, '');
  const lines: string[] = [];
  const tail = new FileTail({
    path,
    offset: 0,
    limitBytes: 1000,
    budget: new FlowBudget(),
    sink: { onLines: (more) => lines.push(...more), onSkipped: () => lines.push('skipped') },
    log: pino({ level: 'silent' }),
  });
  await tail.start();
  const expected: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const more = Array.from({ length: 60 }, (_, index) => `line ${round} ${index} of the log`);
    expected.push(...more);
    appendFileSync(path, more.map((text) => `${text}\n`).join(''));
    await until(() => statSync(path).size === 0, 'the log to be emptied');
  }
  appendFileSync(path, 'last words');
  await tail.finish();
  expect(lines).toEqual([...expected, 'last words']);
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('line 4 59');
  rmSync(directory, { recursive: true });
});

test('a line that arrives just before a flooded log is emptied is not lost', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-agent-flood-'));
  const path = join(directory, 'stdout.log');
  writeFileSync(path, 'a line of the flood\n'.repeat(60_000));
  const lines: string[] = [];
  let skipped = 0;
  const limitBytes = 500_000;
  const tail = new FileTail({
    path,
    offset: 0,
    limitBytes,
    budget: new FlowBudget(),
    sink: { onLines: (more) => lines.push(...more), onSkipped: (count) => (skipped += count) },
    log: pino({ level: 'silent' }),
  });
  const handle = await open(path);
  const prototype = Object.getPrototypeOf(handle) as { read: FileHandle['read'] };
  await handle.close();
  const { read } = prototype;
  // The server prints a line after each read of the agent, as long as the log is too long.
  let late = 0;
  prototype.read = async function (this: FileHandle, ...request: never[]) {
    const result = await Reflect.apply(read, this, request);
    if (statSync(path).size > limitBytes) appendFileSync(path, `late ${(late += 1)}\n`);
    return result;
  } as FileHandle['read'];
  try {
    await tail.start();
    await until(() => statSync(path).size === 0, 'the log to be emptied');
    await tail.finish();
  } finally {
    prototype.read = read;
  }
  expect(late).toBeGreaterThan(0);
  expect(skipped).toBeGreaterThan(0);
  expect(lines.at(-1)).toBe(`late ${late}`);
  rmSync(directory, { recursive: true });
});

test('the tail of a console leaves the oldest lines out when it becomes too large, and says so', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-agent-console-'));
  const console = new Console({
    instance: 'main',
    cursorFile: join(directory, 'cursor.json'),
    history: new ConsoleHistory(join(directory, 'console.jsonl'), pino({ level: 'silent' })),
    nowText: () => new Date().toISOString(),
    publish: () => true,
    log: pino({ level: 'silent' }),
  });
  console.begin('0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02');
  console.add('stdout', Array<string>(200).fill('€'.repeat(maxLineLength)));
  const all = console.tail(200);
  expect(all.isTruncated).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(all.lines))).toBeLessThan(600 * 1024);
  expect(all.lines.length).toBeGreaterThan(10);
  expect(all.lines.at(-1)?.seq).toBe(200);
  const some = console.tail(10);
  expect(some.lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => 191 + index));
  expect(some.isTruncated).toBe(false);
  console.close();
  rmSync(directory, { recursive: true });
});

describe('the history of a console', () => {
  const [first, second] = ['0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02', '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03'];
  let directory: string;
  const open = () => new ConsoleHistory(join(directory, 'console.jsonl'), pino({ level: 'silent' }));
  const records = (from: number, to: number, text = '') =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      JSON.stringify({
        seq: from + index,
        at: '2026-11-21T10:00:00.000Z',
        stream: 'stdout',
        text: `${text}${from + index}`,
      }),
    );
  const pageOf = async (history: ConsoleHistory, ...request: Parameters<ConsoleHistory['before']>) => {
    const { boot, lines, hasEarlier } = await history.before(...request);
    return [boot, lines.at(0)?.seq, lines.at(-1)?.seq, lines.length, hasEarlier];
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gantry-agent-history-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('is read page by page over runs of the server and restarts of the agent', async () => {
    open().append(first, records(1, 30));
    const history = open();
    history.append(first, records(31, 40));
    history.append(second, records(1, 5));
    expect(await pageOf(history, undefined, 10)).toEqual([second, 1, 5, 5, true]);
    expect(await pageOf(history, { boot: second, seq: 4 }, 2)).toEqual([second, 2, 3, 2, true]);
    expect(await pageOf(history, { boot: second, seq: 1 }, 25)).toEqual([first, 16, 40, 25, true]);
    expect(await pageOf(history, { boot: first, seq: 16 }, 25)).toEqual([first, 1, 15, 15, false]);
    expect(await pageOf(history, { boot: first, seq: 1 }, 25)).toEqual([
      null,
      undefined,
      undefined,
      0,
      false,
    ]);
    expect((await history.before({ boot: second, seq: 2 }, 10)).lines).toEqual([
      { seq: 1, at: '2026-11-21T10:00:00.000Z', stream: 'stdout', text: '1' },
    ]);
  });

  test('is empty before the first line, and for a run that it does not know', async () => {
    const history = open();
    expect(await pageOf(history, undefined, 10)).toEqual([null, undefined, undefined, 0, false]);
    history.append(first, records(1, 3));
    expect(await pageOf(history, { boot: second, seq: 9 }, 10)).toEqual([
      null,
      undefined,
      undefined,
      0,
      false,
    ]);
  });

  test('skips a record that a crash has torn', async () => {
    open().append(first, records(1, 3));
    appendFileSync(join(directory, 'console.jsonl'), '{"seq":4,"at":"2026-11');
    const history = open();
    history.append(first, records(5, 6));
    const { lines } = await history.before(undefined, 10);
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 5, 6]);
  });

  test('keeps its size within two files, and the newest lines in them', async () => {
    const history = open();
    const text = 'x'.repeat(1_000);
    for (let round = 0; round < 150; round += 1)
      history.append(first, records(round * 100 + 1, round * 100 + 100, text));
    const size = (name: string) => statSync(join(directory, name)).size;
    expect(size('console.jsonl') + size('console.jsonl.1')).toBeLessThan(9 * 1024 * 1024);
    let position: { boot: string; seq: number } | undefined;
    let count = 0;
    for (let hasMore = true; hasMore;) {
      const page = await history.before(position, 500);
      count += page.lines.length;
      hasMore = page.hasEarlier;
      position = { boot: first, seq: page.lines.at(0)?.seq ?? 0 };
    }
    expect(count).toBe(15_000 - (position?.seq ?? 0) + 1);
    expect(count).toBeGreaterThan(4_000);
  });
});

// The console: what a server prints arrives numbered and clean, what is typed reaches it, and a flood delays no other instance.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  const names = ['main', 'raw', 'flooding', 'idle'];
  stage.agent.configure([...names.map((name) => ({ name })), { name: 'unread', args: ['unread'] }], {
    log_limit_megabytes: 8,
  });
  await stage.startAgent();
  const starts = [...names.slice(0, 3), 'unread'].map((name) => stage.platform.run('start', name));
  expect(await Promise.all(starts)).toEqual(
    starts.map(() => expect.objectContaining({ status: 'succeeded' })),
  );
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

const raw = (bytes: Buffer | string) =>
  stage.platform.type(`raw ${Buffer.from(bytes).toString('base64')}`, { instance: 'raw' });
const rawTexts = () =>
  stage.platform.lines('raw').flatMap(({ stream, text }) => (stream === 'stdout' ? [text] : []));

test('what is typed is echoed, reaches the server, and its reply comes back', async () => {
  const { platform } = stage;
  expect(await platform.type('hello there')).toEqual({ v: 1, ok: true });
  await platform.untilLine('you said hello there');
  expect(platform.lines().find(({ stream }) => stream === 'input')).toMatchObject({
    text: 'hello there',
    by: 'owner@example.com',
  });
  await platform.type('error oh no');
  await until(
    () => platform.lines().some(({ stream, text }) => stream === 'stderr' && text === 'oh no'),
    'the error',
  );
  const sequence = platform.lines().map(({ seq }) => seq);
  expect(sequence).toEqual(sequence.map((_, index) => index + 1));
});

test('a line arrives within a tenth of a second', async () => {
  const { platform } = stage;
  const waits: number[] = [];
  const replies: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const askedMs = performance.now();
    await platform.tail({ limit: 1 });
    const atMs = performance.now();
    replies.push(atMs - askedMs);
    await platform.type(`round ${round}`);
    await platform.untilLine(`you said round ${round}`);
    const batch = platform.batches.find(({ batch }) =>
      batch.lines.some(({ text }) => text === `you said round ${round}`),
    );
    waits.push((batch?.atMs ?? Infinity) - atMs);
  }
  // On a busy machine everything waits, so the limit grows with what a plain request takes: milliseconds on an idle one.
  const median = (values: number[]) => values.sort((left, right) => left - right)[5] ?? NaN;
  expect(median(waits)).toBeLessThan(150 + 10 * median(replies));
});

test('the tail returns the newest lines, from a requested number on', async () => {
  const { platform } = stage;
  const all = await platform.tail();
  expect(all).toMatchObject({ ok: true, state: 'running' });
  const last = all.lines?.at(-1)?.seq ?? 0;
  const after = await platform.tail({ boot: all.boot ?? '', after_seq: last - 2 });
  expect(after.lines?.map(({ seq }) => seq)).toEqual([last - 1, last]);
  expect((await platform.tail({ limit: 3 })).lines).toHaveLength(3);
  expect(await platform.tail({ instance: 'idle' })).toMatchObject({ ok: true, state: 'stopped', lines: [] });
  expect(await platform.type('hello', { instance: 'idle' })).toMatchObject({
    ok: false,
    error: { code: 'not_running' },
  });
});

test('lines are whole, clean and of bounded length', async () => {
  const { platform } = stage;
  const euro = Buffer.from('€');
  await raw(Buffer.concat([Buffer.from('price '), euro.subarray(0, 2)]));
  await platform.untilLine('price ', 'raw'); // a pause in the output ends a line, but never within a character
  await raw(Buffer.concat([euro.subarray(2), Buffer.from('5\n')]));
  await platform.untilLine('€5', 'raw');
  await raw('\u001b[31mred\u001b[0m\ta\u0000b\u0007\r\n');
  await platform.untilLine('red', 'raw');
  await raw(`${'x'.repeat(9000)}\nafter the long one\n`).catch(() => undefined);
  expect(rawTexts()).toEqual(expect.arrayContaining(['price ', '€5', '\u001b[31mred\u001b[0m\tab']));
});

test('a line that is too long is cut', async () => {
  const { platform } = stage;
  for (let part = 0; part < 80; part += 1) await raw('y'.repeat(600));
  await raw('z\nnext line\n');
  await platform.untilLine('next line', 'raw');
  const long = rawTexts().filter((text) => text.startsWith('yyy'));
  expect(long.every((text) => text.length <= 8192)).toBe(true);
});

test('a server that does not read its input makes the agent say so, not wait', async () => {
  const { platform } = stage;
  const line = 'x'.repeat(1000);
  const refused = await until(async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => platform.type(line, { instance: 'unread' })),
    );
    return replies.find(({ ok }) => !ok);
  }, 'a full input');
  expect(refused.error).toMatchObject({ code: 'failed', detail: expect.stringContaining('full') });
  expect((await platform.type('still there')).ok).toBe(true);
});

test('a flood is cut short, bounded in memory and on disk, and leaves the agent responsive', async () => {
  const { agent, platform } = stage;
  const asked: number[] = [];
  const file = join(agent.stateDirectory, 'instances/flooding/stdout.log');
  // There is none while it is being rotated.
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let rss = 0;
  let largest = 0;
  const flood = async (ms: number) => {
    expect(await platform.type(`flood ${ms}`, { instance: 'flooding' })).toMatchObject({ ok: true });
    await until(() => isOver(ms), 'the end of the flood', 60_000);
  };
  const isOver = async (ms: number) => {
    rss = Math.max(rss, agent.rssBytes());
    largest = Math.max(largest, size());
    const atMs = performance.now();
    // What does not fit on the bus is left out of the batches, never of what the agent keeps.
    const { lines } = await platform.tail({ instance: 'flooding', limit: 20 });
    asked.push(performance.now() - atMs);
    // What the server prints while its log is emptied is lost, so it gets more than one line to repeat afterwards.
    await platform.type(`after ${ms} ms`, { instance: 'flooding' });
    return lines?.some(({ text }) => text === `you said after ${ms} ms`) === true;
  };
  // An agent at rest has returned the memory that any load takes; what counts is that a longer flood takes no more.
  await flood(500);
  const before = agent.rssBytes();
  const linesBefore = platform.lines('flooding').length;
  await flood(2_500);
  const shownLines = platform.lines('flooding').length - linesBefore;
  process.stdout.write(
    `flood: RSS grew ${((rss - before) / 2 ** 20).toFixed(0)} MiB to ${(rss / 2 ** 20).toFixed(0)} MiB, log at most ${(largest / 2 ** 20).toFixed(0)} MiB, ` +
      `${shownLines} lines shown, slowest reply ${Math.max(...asked).toFixed(0)} ms\n`,
  );
  expect(rss - before).toBeLessThan(80 * 2 ** 20);
  expect(rss).toBeLessThan(256 * 2 ** 20);
  expect(Math.max(...asked)).toBeLessThan(10_000);
  expect(shownLines).toBeLessThan(60_000);
  const skipped = platform.lines('flooding').filter(({ stream }) => stream === 'system');
  expect(skipped.at(-1)?.text).toMatch(/^… (about )?[\d,]+ lines skipped/);
  const sequence = platform.lines('flooding').map(({ seq }) => seq);
  expect(sequence.every((seq, index) => index === 0 || seq > (sequence[index - 1] ?? 0))).toBe(true);
  await until(() => size() <= 8 * 2 ** 20, 'the log to be emptied');
  await platform.type('calm again', { instance: 'flooding' });
  await platform.untilLine('you said calm again', 'flooding');
});

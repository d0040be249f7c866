// Log output when its reader stops reading, or the disk is full.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { resolve } from 'node:path';

const program = resolve(import.meta.dirname, '../support/flooding-program.ts');
/** Size of one line; a pipe holds 64 KiB, and 1 MiB may wait. */
const bytes = 1_000;

function flood(lines: number, stdout: 'pipe' | number): ChildProcess {
  return fork(program, [String(lines), String(bytes)], { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}

const lostBy = async (child: ChildProcess) => ((await once(child, 'message')) as [{ lost: number }])[0].lost;

it('lines beyond the buffer are lost and counted, and the count is logged once the reader resumes', async () => {
  const child = flood(5_000, 'pipe');
  child.stdout?.pause();
  const lost = await lostBy(child);
  expect(lost).toBeGreaterThan(3_000);
  expect(lost).toBeLessThan(4_500);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString())).resume();
  const closed = once(child, 'close');
  child.send('continue');
  expect(await lostBy(child)).toBe(lost);
  await closed;
  const lines = text.trim().split('\n');
  expect(lines.slice(0, -2)).toEqual(Array(5_000 - lost).fill('x'.repeat(bytes - 1)));
  expect(lines.slice(-2)).toEqual([`{"lostLines":${lost}}`, 'the last line']);
});

it('nothing is lost while it is read', async () => {
  const child = flood(800, 'pipe');
  let length = 0;
  child.stdout?.on('data', (chunk: Buffer) => (length += chunk.byteLength));
  const closed = once(child, 'close');
  expect(await lostBy(child)).toBe(0);
  child.send('continue');
  await closed;
  expect(length).toBe(800 * bytes + 'the last line\n'.length);
});

it('all lines are counted when the reader is gone', async () => {
  const child = flood(5_000, 'pipe');
  child.stdout?.destroy();
  const lost = await lostBy(child);
  const exited = once(child, 'exit');
  child.send('continue');
  expect(await lostBy(child)).toBeGreaterThanOrEqual(lost);
  expect(await exited).toEqual([0, null]);
});

it('all lines are counted when the disk is full', async () => {
  const full = openSync('/dev/full', 'w');
  const child = flood(10, full);
  closeSync(full);
  expect(await lostBy(child)).toBe(10);
  const exited = once(child, 'exit');
  child.send('continue');
  expect(await exited).toEqual([0, null]);
});

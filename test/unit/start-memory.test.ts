// The memory that only the start needed goes back to the operating system.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const program = (release: boolean) => `
  const { releaseStartMemory } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../src/process/start-memory.ts'))});
  // Each part of the start leaves garbage between values that stay.
  const kept = [];
  for (let part = 0; part < 400_000; part += 1) {
    const values = Array.from({ length: 20 }, (_, index) => ({ part, index, text: 'value ' + part + index }));
    if (part % 100 === 0) kept.push(values);
  }
  if (${release}) releaseStartMemory(0);
  setTimeout(() => {
    console.log(JSON.stringify({ megabytes: process.memoryUsage().heapTotal / 1e6, kept: kept.length, gc: typeof gc }));
  }, 1_000);`;

function run(release: boolean): { megabytes: number; kept: number; gc: string } {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program(release)], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as ReturnType<typeof run>;
}

it('is released once, without exposing the collector to the program', () => {
  const [held, released] = [run(false), run(true)];
  expect(released.kept).toBe(held.kept);
  expect(released.megabytes).toBeLessThan(held.megabytes * 0.8);
  expect([held.gc, released.gc]).toEqual(['undefined', 'undefined']);
});

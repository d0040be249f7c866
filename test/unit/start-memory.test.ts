// The memory that only the start needed goes back to the operating system.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const program = ({ save = false, release = false }: Saving) => `
  const { saveStartMemory, releaseStartMemory } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../shared/start-memory.ts'))});
  if (${save}) saveStartMemory();
  // Each part of the start leaves garbage between values that stay.
  const kept = [];
  for (let part = 0; part < 400_000; part += 1) {
    const values = Array.from({ length: 20 }, (_, index) => ({ part, index, text: 'value ' + part + index }));
    if (part % 100 === 0) kept.push(values);
  }
  const megabytesAtFirst = process.memoryUsage().heapTotal / 1e6;
  if (${release}) releaseStartMemory(0);
  setTimeout(() => {
    console.log(JSON.stringify({ megabytesAtFirst, megabytes: process.memoryUsage().heapTotal / 1e6, kept: kept.length, gc: typeof gc }));
  }, 1_000);`;

interface Saving {
  save?: boolean;
  release?: boolean;
}

interface Outcome {
  /** When everything is loaded. */
  megabytesAtFirst: number;
  megabytes: number;
  kept: number;
  gc: string;
}

function run(saving: Saving): Outcome {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program(saving)], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Outcome;
}

it('is released once, without exposing the collector to the program', () => {
  const [held, released] = [run({}), run({ release: true })];
  expect(released.kept).toBe(held.kept);
  expect(released.megabytes).toBeLessThan(held.megabytes * 0.8);
  expect([held.gc, released.gc]).toEqual(['undefined', 'undefined']);
});

it('is less where young garbage is collected early', () => {
  const [held, saved] = [run({}), run({ save: true })];
  expect(saved.kept).toBe(held.kept);
  expect(saved.megabytesAtFirst).toBeLessThan(held.megabytesAtFirst * 0.8);
});

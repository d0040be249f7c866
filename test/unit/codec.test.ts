// Large documents are processed in threads: with the same result as on the main thread, and without blocking
// it.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { documentFile } from '../../src/platform-contract/document-file.ts';
import { readDocument } from '../../src/contract/document.ts';
import { Codec } from '../../src/plugin-configs/codec/codec.ts';
import { CodecBusy } from '../../src/plugin-configs/codec/threads.ts';
import { runWork } from '../../src/plugin-configs/codec/works.ts';
import { JsonFault } from '../../src/plugin-configs/json-text.ts';
import { pluginKinds } from '../../src/plugin-configs/registry.ts';
import type { ConfigSchema } from '../../src/plugin-configs/schema.ts';

const schemas = readDocument(documentFile).components['schemas'] as Record<string, ConfigSchema>;
const loot = pluginKinds(schemas).get('loot');
if (loot === undefined) throw new Error('there is no kind loot');

const codec = new Codec();
afterAll(() => codec.close());

const tables = 'data/BetterLoot/LootTables.json';

/** With `containers` of 190 items each, which makes about 17 KB. */
function configOf(containers: number, max: number): string {
  const items = Object.fromEntries(
    Array.from({ length: 190 }, (_, number) => [`item.${number}`, { min: 1, max }]),
  );
  const table = Array.from({ length: containers }, (_, number) => [`crate ${number}`, { items }]);
  return JSON.stringify({ ...loot?.defaults(), loot_table: Object.fromEntries(table) });
}

it('are written as on the main thread, while the event loop continues', async () => {
  const { files } = runWork('write', loot, { config: configOf(118, 2), present: [] });
  const present = files.map(({ file, content }) => [file, content] as const);
  const asked = { config: configOf(118, 3), present };
  const began = performance.now();
  const here = runWork('preview', loot, asked);
  const blockedMs = performance.now() - began;

  await codec.run('preview', loot, asked); // the thread has read the contract by now
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const there = await codec.run('preview', loot, asked);
  delays.disable();
  expect(there).toEqual(here);
  expect(there.files.some(({ isChanged }) => isChanged)).toBe(true);
  expect(delays.max / 1e6).toBeLessThan(blockedMs);
});

it('are read and rejected as on the main thread', async () => {
  const { files } = runWork('write', loot, { config: configOf(20, 2), present: [] });
  const [file, content] = files
    .map((one) => [one.file, one.content] as const)
    .find(([name]) => name.endsWith(tables.split('/').at(-1) ?? '')) ?? ['', ''];
  expect(content.length).toBeGreaterThan(64 * 1024);
  const contents = [[file, content]] as const;
  expect(await codec.run('read', loot, { contents })).toEqual(runWork('read', loot, { contents }));
  await expect(codec.run('read', loot, { contents: [[file, `${content}}`]] })).rejects.toThrow(JsonFault);
});

it('report locations in a few words, however long the names are', () => {
  const contents = [[tables, JSON.stringify({ ['x'.repeat(1_000_000)]: 1 })]] as const;
  const { notRead } = runWork('read', loot, { contents });
  expect(notRead).toHaveLength(1);
  expect(notRead[0]?.pointer).toMatch(/^\/x{499}…$/);
});

it('are refused while too many wait, and when the platform stops', async () => {
  const own = new Codec();
  const asked = { config: configOf(20, 2), present: [] };
  const outcomes = Array.from({ length: 60 }, () =>
    own.run('write', loot, asked).then(
      () => 'worked out',
      (error: unknown) => (error instanceof CodecBusy ? error.message : String(error)),
    ),
  );
  await own.close();
  const reported = await Promise.all(outcomes);
  expect(reported).toContain('Too many big documents are being worked on.');
  expect(reported).toContain('The platform is stopping.');
  expect(reported.every((one) => one === 'worked out' || one.endsWith('.'))).toBe(true);
});

it('are processed in another thread after an idle one has failed, as for want of memory', async () => {
  const another = new Codec();
  const begun = once(process as NodeJS.EventEmitter, 'worker') as Promise<[Worker]>;
  const asked = { config: configOf(118, 3), present: [] };
  const result = await another.run('preview', loot, asked);
  const [thread] = await begun;
  thread.emit('error', new Error('no memory'));
  await thread.terminate();
  expect(await another.run('preview', loot, asked)).toEqual(result);
  await another.close();
});

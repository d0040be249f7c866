// What becomes of the process that writes Parquet files when it ends between two files.
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParquetWriter } from '../../src/archive/parquet-writer.ts';

it('the process that writes Parquet files is replaced once it has ended', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parquet-'));
  const children: ChildProcess[] = [];
  const onChild = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onChild);
  const writer = new ParquetWriter();
  try {
    const from = join(directory, 'rows');
    await writeFile(from, '1,one\n2,two\n');
    const write = (to: string) =>
      writer.write({
        from,
        to: join(directory, to),
        columns: { id: 'integer', name: 'varchar' },
        memoryMb: 256,
        directory,
      });
    expect(await write('first.parquet')).toBe(2);
    const [child] = children;
    if (child === undefined) throw new Error('no process was started');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(await write('second.parquet')).toBe(2);
    expect(children).toHaveLength(2);
  } finally {
    writer.close();
    unsubscribe('child_process', onChild);
    await rm(directory, { recursive: true });
  }
});

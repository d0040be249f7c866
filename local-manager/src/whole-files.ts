// Writes files of the manager's home atomically.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeWhole(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, content, { mode: 0o600, flush: true });
  await rename(fresh, file);
}

// Forged archives of a backup whose manifest fits their content, with every hostile path there is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileError } from '../../agent/src/instance-files/file-error.ts';
import { hostilePaths } from '../support/hostile-paths.ts';
import {
  backups,
  contents,
  forged,
  id,
  kept,
  openInstanceForEachTest,
  replaced,
} from './support/backed-up-instance.ts';

openInstanceForEachTest();

/** With exactly that name, which archive writers would normalise. */
async function forgedAs(path: string): Promise<Buffer> {
  const name = 'x'.repeat(Buffer.byteLength(path));
  const bytes = await forged(name, 0o100644);
  const raw = Buffer.from(path).toString('latin1');
  const listed = Buffer.from(JSON.stringify(path)).toString('latin1');
  // What JSON writes in more letters makes the manifest longer than its entry says, which is refused as well.
  return replaced(name, raw)(replaced(`"${name}"`, listed)(bytes));
}

it('an archive that was forged whole, with any hostile path, is refused', async () => {
  const archive = join(kept, `${id(1)}.zip`);
  const before = contents();
  const record = await backups.create({ id: id(1), kind: 'manual' });
  for (const path of hostilePaths.filter((text) => text.isWellFormed())) {
    const bytes = await forgedAs(path);
    writeFileSync(archive, bytes);
    writeFileSync(join(kept, `${id(1)}.json`), JSON.stringify({ ...record, size: bytes.byteLength }));
    const outcome = await backups.restore(id(1)).then(
      () => 'restored',
      ({ code }: FileError) => code,
    );
    expect([path, outcome]).toEqual([path, 'checksum']);
    expect(contents()).toBe(before);
  }
});

import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { launchGantry } from './launch.ts';
import { Scratch } from './scratch.ts';

describe('the data directory', () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  it('is created with access for its owner only, including parent folders', async () => {
    const path = join(await scratch.dataDir(), 'deep/down');
    const directory = await openDataDirectory(path);
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
    await directory.release();
    expect(await readdir(path)).toEqual([]);
  });

  it('refuses a second opening and names the process that has it', async () => {
    const path = await scratch.dataDir();
    const directory = await openDataDirectory(path);
    await expect(openDataDirectory(path)).rejects.toThrow(
      `The data directory ${directory.path} is used by the Gantry process ${process.pid}`,
    );
    const { said } = await launchGantry(path);
    expect(said.failure).toContain(`is used by the Gantry process ${process.pid}`);
    await directory.release();
    await (await openDataDirectory(path)).release();
  });

  it('opens again after its owner was killed', async () => {
    const path = await scratch.dataDir();
    const gantry = await launchGantry(path);
    expect(gantry.said).toEqual({ opened: true });
    await gantry.kill();
    await (await openDataDirectory(path)).release();
  });

  it('ignores a living process that has the pid of a dead owner', async () => {
    const path = await scratch.dataDir();
    await (await openDataDirectory(path)).release();
    await writeFile(join(path, `lock.${process.pid}.0123456789abcdef.0a0a0a`), '');
    await (await openDataDirectory(path)).release();
    expect(await readdir(path)).toEqual([]);
  });

  it('has one owner when several start concurrently', async () => {
    const path = await scratch.dataDir();
    const rivals = await Promise.all(Array.from({ length: 5 }, () => launchGantry(path)));
    const owners = rivals.filter(({ said }) => said.opened);
    expect(owners).toHaveLength(1);
    const others = rivals.filter(({ said }) => said.failure !== undefined);
    expect(others).toHaveLength(4);
    await owners[0]?.kill();
  });
});

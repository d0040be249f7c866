// The backups of one instance as a class: whole or not at all, restored to the byte, and nothing believed of an archive.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileError } from '../../agent/src/instance-files/file-error.ts';
import { Folder } from '../../agent/src/instance-files/folder.ts';
import { until } from '../support/until.ts';
import {
  backUpModes,
  backups,
  contents,
  directory,
  forged,
  id,
  kept,
  modes,
  openInstanceForEachTest,
  replaced,
  root,
} from './support/backed-up-instance.ts';
import { openBackups, openFiles } from './support/backups.ts';

const supporting = new URL('support/backups.ts', import.meta.url).href;

openInstanceForEachTest();

it('is made whole, listed, and restored to the byte, with modes and empty directories', async () => {
  const before = contents();
  const record = await backups.create({ id: id(1), kind: 'manual', note: 'first' });
  expect(record).toMatchObject({ files: 3, changed: 0, left_out: 0, is_partial: false, note: 'first' });
  expect(backups.list()).toEqual([record]);
  expect(record.size).toBe(statSync(join(kept, `${id(1)}.zip`)).size);
  expect(execFileSync('sha256sum', [join(kept, `${id(1)}.zip`)]).toString()).toContain(record.sha256);

  rmSync(join(root, 'server'), { recursive: true });
  writeFileSync(join(root, 'server'), 'a file in its place');
  writeFileSync(join(root, 'run.sh'), 'other');
  writeFileSync(join(root, 'later'), 'later');
  await backups.restore(id(1));
  expect(readFileSync(join(root, 'later'), 'utf8')).toBe('later');
  await backups.restore(id(1), { isRemovingLater: true });
  expect(contents()).toBe(before);
  expect(readdirSync(kept).toSorted()).toEqual([`${id(1)}.json`, `${id(1)}.zip`, 'restoration.json']);
});

it('gives directories the modes of the backup', async () => {
  const wanted = await backUpModes();
  rmSync(join(root, 'server'), { recursive: true });
  await backups.restore(id(1), { isRemovingLater: true });
  expect(`${modes()}\n${contents()}`).toBe(wanted);
});

describe('a restoration beside which directories go', () => {
  /** What is left by an agent that was killed between two renames, or before the first. */
  function leftAt(swaps: { path: string; isNew: boolean }[], old: Record<number, string> = {}): void {
    const staging = join(root, '.gantry-staging');
    mkdirSync(join(staging, 'old'), { recursive: true });
    for (const [index, content] of Object.entries(old)) writeFileSync(join(staging, 'old', index), content);
    for (const { path, isNew } of swaps) {
      mkdirSync(join(staging, 'new', dirname(path)), { recursive: true });
      if (isNew) writeFileSync(join(staging, 'new', path), 'restored');
    }
    const progress = { is: 'swapping', name: '.gantry-staging', operation: 'it', swaps };
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, 'restoration.json'), JSON.stringify(progress));
  }

  it('recreates the ones that it needs', async () => {
    leftAt([
      { path: 'gone/inner/map.sav', isNew: true },
      { path: 'gone/too/later', isNew: false },
      { path: 'run.sh', isNew: true },
    ]);
    await backups.recover();
    expect(await backups.endOf('it')).toMatchObject({ isRestored: true });
    expect(readFileSync(join(root, 'gone/inner/map.sav'), 'utf8')).toBe('restored');
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('restored');
    expect(readdirSync(root).toSorted()).toEqual(['empty', 'gone', 'run.sh', 'server']);
  });

  it('is taken back past those that are gone, and stands in the way of no other', async () => {
    const before = contents();
    await backups.create({ id: id(1), kind: 'manual' });
    rmSync(join(root, 'run.sh'));
    leftAt(
      [
        { path: 'run.sh', isNew: true },
        { path: 'gone/later', isNew: false },
        { path: 'server/main/player.db/file', isNew: true },
        { path: 'empty/later', isNew: true },
      ],
      { 0: '#!/bin/sh\n', 1: 'later' },
    );
    await backups.recover();
    expect(await backups.endOf('it')).toMatchObject({ isRestored: false });
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('#!/bin/sh\n');
    expect(readdirSync(root).toSorted()).toEqual(['empty', 'run.sh', 'server']);
    await backups.restore(id(1), { isRemovingLater: true });
    expect(contents()).toBe(before);
  });

  it('gives back what it had put aside first, not what has come in its place since', async () => {
    writeFileSync(join(root, 'run.sh'), 'made since');
    leftAt(
      [
        { path: 'run.sh', isNew: true },
        { path: 'server/main/player.db/file', isNew: true },
      ],
      { 0: 'put aside' },
    );
    await backups.recover();
    expect(await backups.endOf('it')).toMatchObject({ isRestored: false });
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('put aside');
  });

  it('is as if it had come before or after a deletion that is asked for meanwhile', async () => {
    const files = openFiles(directory);
    const ownBackups = openBackups(directory, files);
    await ownBackups.create({ id: id(1), kind: 'manual' });
    const before = contents();
    writeFileSync(join(root, 'server/main/player.db'), 'other');
    const unpacked = () => readdirSync(root).some((name) => existsSync(join(root, name, 'new/run.sh')));
    let restoring = Promise.resolve();
    const deleting = files.exclusively(async () => {
      restoring = ownBackups.restore(id(1));
      await until(unpacked, 'what was unpacked');
      rmSync(join(root, 'server'), { recursive: true });
    });
    await deleting;
    await restoring;
    expect(contents()).toBe(before);
  });
});

describe('an archive', () => {
  const archive = () => join(kept, `${id(1)}.zip`);

  /** Changes the archive, and what is said of its length. */
  async function tampered(change: (bytes: Buffer) => Buffer): Promise<string> {
    const record = await backups.create({ id: id(1), kind: 'manual' });
    const bytes = change(readFileSync(archive()));
    writeFileSync(archive(), bytes);
    writeFileSync(join(kept, `${id(1)}.json`), JSON.stringify({ ...record, size: bytes.byteLength }));
    writeFileSync(join(root, 'run.sh'), 'other');
    const before = contents();
    const error = await backups.restore(id(1)).then(
      () => 'restored',
      ({ code }: FileError) => code,
    );
    expect(contents()).toBe(before);
    return error;
  }

  /** The content of an entry follows its name. */
  const flipped = (bytes: Buffer) => {
    const at = bytes.indexOf('map.sav') + 'map.sav'.length + 20;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
    return bytes;
  };

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -100)],
    ['with a byte of its content changed', flipped],
    ['that is something else', () => Buffer.from('nothing')],
    ['with a name that leads out', replaced('run.sh', '../run')],
    ['with an absolute name', replaced('run.sh', '/runsh')],
    ['with a name of the agent', replaced('server/main/map.sav', '.gantry-a/main/map.')],
    ['without its manifest', replaced('.gantry-manifest', '.gantry-manifesx')],
  ])('%s is refused, and changes nothing', async (_what, change) => {
    expect(await tampered(change)).toBe('checksum');
    expect(existsSync(join(directory, 'run'))).toBe(false);
  });

  it.each([
    ['a path that leads out', '../escaped', 0o100644],
    ['a name of the agent', '.gantry-evil', 0o100644],
    ['a link', 'link', 0o120777],
  ])('that was forged whole, with %s, is refused', async (_what, path, mode) => {
    const bytes = await forged(path, mode);
    expect(['checksum', 'refused']).toContain(await tampered(() => bytes));
    expect(existsSync(join(directory, 'escaped'))).toBe(false);
  });

  it('that was forged whole, with nothing evil, would be restored', async () => {
    const bytes = await forged('harmless', 0o100644);
    const record = await backups.create({ id: id(1), kind: 'manual' });
    writeFileSync(archive(), bytes);
    writeFileSync(join(kept, `${id(1)}.json`), JSON.stringify({ ...record, size: bytes.byteLength }));
    await backups.restore(id(1));
    expect(readFileSync(join(root, 'harmless'), 'utf8')).toBe('evil');
  });
});

it('of some paths touches only those, and removes what came later there only', async () => {
  await backups.create({ id: id(1), kind: 'wipe', paths: ['server/main', 'absent/path'] });
  writeFileSync(join(root, 'server/main/later.db'), 'later');
  writeFileSync(join(root, 'server/beside'), 'beside');
  rmSync(join(root, 'server/main/map.sav'));
  mkdirSync(join(root, 'absent/path'), { recursive: true });
  await backups.restore(id(1), { isRemovingLater: true });
  expect(readdirSync(join(root, 'server/main')).toSorted()).toEqual(['map.sav', 'player.db']);
  expect(readdirSync(join(root, 'server')).toSorted()).toEqual(['beside', 'main']);
  expect(readdirSync(join(root, 'absent'))).toEqual([]);
  expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('#!/bin/sh\n');
});

it('leaves out links and pipes, counts them, and leaves them alone when it is restored', async () => {
  symlinkSync('/etc/passwd', join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'server/pipe')]);
  const before = contents();
  expect(await backups.create({ id: id(1), kind: 'manual' })).toMatchObject({ files: 3, left_out: 2 });
  await backups.restore(id(1), { isRemovingLater: true });
  expect(contents()).toBe(before);
});

it('without room on the disk is refused before anything is written', async () => {
  truncateSync(join(root, 'run.sh'), 2 ** 43);
  await expect(backups.create({ id: id(1), kind: 'manual' })).rejects.toMatchObject({ code: 'disk_full' });
  expect(readdirSync(kept)).toEqual([]);
});

it('what is half is not listed, and is removed by the next agent', async () => {
  const record = await backups.create({ id: id(1), kind: 'manual' });
  for (const name of [`${id(2)}.partial`, `${id(3)}.zip`, `${id(4)}.json`, `${id(5)}.json.new`])
    writeFileSync(join(kept, name), JSON.stringify({ ...record, id: name.slice(0, 36) }));
  const next = openBackups(directory);
  expect(next.list()).toEqual([record]);
  await next.recover();
  expect(readdirSync(kept).toSorted()).toEqual([`${id(1)}.json`, `${id(1)}.zip`]);
});

it('files that change all the time are noted, and none keeps it from being whole', async () => {
  writeFileSync(join(root, 'growing.log'), 'x'.repeat(100_000));
  let isOver = false;
  const growing = (async () => {
    while (!isOver) {
      appendFileSync(join(root, 'growing.log'), 'x'.repeat(10_000));
      await new Promise(setImmediate);
    }
  })();
  const record = await backups.create({ id: id(1), kind: 'manual' });
  isOver = true;
  await growing;
  expect(record).toMatchObject({ files: 4, changed: 1 });
  await backups.restore(id(1));
});

it('a disk that is full in the middle of it leaves nothing behind', async () => {
  // The process may write no longer file than this, as where the disk has no more room.
  const script = `const { openBackups } = await import(${JSON.stringify(supporting)});
    const { execFileSync } = await import('node:child_process');
    execFileSync('prlimit', ['--fsize=50000', '--pid', String(process.pid)]);
    await openBackups(${JSON.stringify(directory)}).create({ id: ${JSON.stringify(id(1))}, kind: 'manual' })
      .then(() => console.log('made'), ({ code }) => console.log(code));`;
  writeFileSync(join(root, 'server/main/map.sav'), randomBytes(500_000));
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout.toString()).toBe('EFBIG\n');
  expect(readdirSync(kept)).toEqual([]);
  expect(backups.list()).toEqual([]);
});

it('whose record cannot be written is none, and its archive takes no room', async () => {
  mkdirSync(join(kept, `${id(1)}.json.new/in-the-way`), { recursive: true });
  await expect(backups.create({ id: id(1), kind: 'manual' })).rejects.toThrow(/director/);
  expect(readdirSync(kept)).toEqual([`${id(1)}.json.new`]);
});

it('a restoration works beside the leftovers of an earlier one that cannot be removed', async () => {
  const before = contents();
  await backups.create({ id: id(1), kind: 'manual' });
  const left = join(root, '.gantry-staging');
  mkdirSync(left);
  const progress = { is: 'over', name: '.gantry-staging', operation: 'it', isRestored: true };
  writeFileSync(join(kept, 'restoration.json'), JSON.stringify(progress));
  const { enter } = Folder.prototype;
  Folder.prototype.enter = function (this: Folder, name: string) {
    if (name !== '.gantry-staging') return enter.call(this, name);
    return Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }));
  };
  try {
    await backups.restore(id(1), { isRemovingLater: true });
  } finally {
    Folder.prototype.enter = enter;
  }
  rmSync(left, { recursive: true });
  expect(contents()).toBe(before);
});

// The files of one instance as a class: while others change them, and with little room.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openSettled } from '../../agent/src/instance-files/content.ts';
import { InstanceFiles } from '../../agent/src/instance-files/instance-files.ts';
import { Folder } from '../../agent/src/instance-files/folder.ts';
import { unpackFile } from '../../agent/src/instance-files/unzip.ts';
import { packFiles } from '../../agent/src/instance-files/zip.ts';
import { canMountDisk, mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { unzipped } from '../support/zip-files.ts';
import { OwnPaths } from '../../agent/src/instance-files/own-paths.ts';

let directory: string;
let root: string;
let files: InstanceFiles;

const inRoot = (path: string) => join(root, path);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-instance-files-'));
  root = join(directory, 'root');
  mkdirSync(root);
  const temporaryDirectory = join(directory, 'temporary');
  files = new InstanceFiles({
    root,
    own: new OwnPaths([]),
    temporaryDirectory,
    log: pino({ level: 'silent' }),
  });
});

afterEach(() => rmSync(directory, { recursive: true }));

it('opens a file that is being written once it is complete', async () => {
  const [half, whole] = ['{ "limit":', '{ "limit": 50 }'];
  writeFileSync(inRoot('plugin.json'), half);
  const writer = setTimeout(() => writeFileSync(inRoot('plugin.json'), whole), 100);
  const file = await openSettled(() => files.open('plugin.json'));
  try {
    expect(await file.readFile('utf8')).toBe(whole);
  } finally {
    clearTimeout(writer);
    await file.close();
  }
});

describe('a file of the agent’s that is hard-linked', () => {
  const state = () => join(directory, 'state');
  const readAs = (own: OwnPaths) =>
    new InstanceFiles({
      root,
      own,
      temporaryDirectory: join(directory, 'temporary'),
      log: pino({ level: 'silent' }),
    });

  beforeEach(() => mkdirSync(state()));

  it('is refused also when it came after others were looked for', async () => {
    files = readAs(new OwnPaths([state()]));
    writeFileSync(inRoot('game.dll'), 'game');
    linkSync(inRoot('game.dll'), join(directory, 'copy.dll'));
    expect((await files.read('game.dll')).content.toString()).toBe('game');
    writeFileSync(join(state(), 'token'), 'secret');
    linkSync(join(state(), 'token'), inRoot('linked'));
    await expect(files.read('linked')).rejects.toMatchObject({ code: 'refused' });
    expect((await files.read('game.dll')).content.toString()).toBe('game');
  });

  it('is refused also when the operator has moved its directory and linked it', async () => {
    const elsewhere = join(directory, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'output'), 'secret');
    symlinkSync(elsewhere, join(state(), 'instances'));
    symlinkSync(state(), join(elsewhere, 'back'));
    linkSync(join(elsewhere, 'output'), inRoot('linked'));
    await expect(readAs(new OwnPaths([state()])).read('linked')).rejects.toMatchObject({ code: 'refused' });
  });

  it('is not what lies below a root within the state directory', async () => {
    root = join(state(), 'servers');
    mkdirSync(root);
    writeFileSync(inRoot('game.dll'), 'game');
    linkSync(inRoot('game.dll'), inRoot('twin.dll'));
    const { content } = await readAs(new OwnPaths([state()], [root])).read('twin.dll');
    expect(content.toString()).toBe('game');
  });
});

describe('a file that is written while something else is put under its name', () => {
  const outside = () => join(directory, 'secret');

  beforeEach(() => {
    writeFileSync(outside(), 'secret', { mode: 0o600 });
    writeFileSync(inRoot('present'), 'present');
    chmodSync(inRoot('present'), 0o755);
  });

  function swapIn(): void {
    const name = readdirSync(root).find((other) => other.startsWith('.gantry-')) ?? '';
    renameSync(inRoot(name), inRoot('stolen'));
    symlinkSync(outside(), inRoot(name));
  }

  const secret = () => ({ mode: statSync(outside()).mode & 0o777, content: readFileSync(outside(), 'utf8') });

  it.each([
    ['present', true],
    ['absent', true],
    ['absent', false],
  ])('fails for what is %s, and changes nothing elsewhere', async (path, isReplacing) => {
    const staged = await files.stage(path, isReplacing);
    await staged.handle.writeFile('written');
    swapIn();
    await expect(staged.publish(isReplacing)).rejects.toMatchObject({ code: 'refused' });
    await staged.discard();
    expect(secret()).toEqual({ mode: 0o600, content: 'secret' });
    expect(readFileSync(inRoot('present'), 'utf8')).toBe('present');
    expect(readdirSync(root).toSorted()).toEqual(['present', 'stolen']);
  });

  it('fails after the last look at it too, and leaves no link in its place', async () => {
    const staged = await files.stage('present', true);
    const look = staged.handle.stat.bind(staged.handle);
    Object.assign(staged.handle, {
      stat: (options: { bigint: true }) => {
        if (!readdirSync(root).includes('stolen')) swapIn();
        return look(options);
      },
    });
    await expect(staged.publish(true)).rejects.toMatchObject({ code: 'refused' });
    await staged.discard();
    expect(secret()).toEqual({ mode: 0o600, content: 'secret' });
    expect(readdirSync(root)).toEqual(['stolen']);
  });
});

it('a file that grows while it is packed is packed with its first length', async () => {
  writeFileSync(inRoot('growing'), 'unchanged');
  const stage = files.stage.bind(files);
  files.stage = (...args) => {
    appendFileSync(inRoot('growing'), ', and more');
    return stage(...args);
  };
  await packFiles(files, ['growing'], 'all.zip');
  expect(await unzipped(readFileSync(inRoot('all.zip')))).toEqual(new Map([['growing', 'unchanged']]));
});

it('a directory of any depth is removed whole, also by the next agent', async () => {
  const nest = (depth: number) =>
    `const fs = require('node:fs'); fs.mkdirSync('deep'); process.chdir('deep');
    for (let step = 0; step < ${depth}; step += 1) { fs.mkdirSync('d'); process.chdir('d'); fs.writeFileSync('f', ''); }`;
  execFileSync(process.execPath, ['-e', nest(2_000)], { cwd: root });
  await files.delete('deep', true);
  await until(() => readdirSync(root).length === 0, 'the removal');

  const { name } = await files.temporaries.claim([]);
  execFileSync(process.execPath, ['-e', nest(250)], { cwd: root });
  renameSync(inRoot('deep'), inRoot(name));
  await files.temporaries.recover();
  expect(readdirSync(root)).toEqual([]);
  expect(readdirSync(join(directory, 'temporary'))).toEqual([]);
});

it('a directory of many levels is made by going down once', async () => {
  let opened = 0;
  const { enter } = Folder.prototype;
  Folder.prototype.enter = function (this: Folder, name: string) {
    opened += 1;
    return enter.call(this, name);
  };
  try {
    const levels = Array.from({ length: 100 }, (_, level) => `${level}`);
    expect(await files.makeDirectory(levels.join('/'))).toMatchObject({ name: '99', kind: 'directory' });
  } finally {
    Folder.prototype.enter = enter;
  }
  expect(opened).toBeLessThanOrEqual(100);
});

it('an unpacking that fails reports why even when its files cannot be removed, which the next agent does', async () => {
  writeFileSync(inRoot('file'), 'content');
  await packFiles(files, ['file'], 'broken.zip');
  const bytes = readFileSync(inRoot('broken.zip'));
  const checksumAt = bytes.indexOf('PK\x01\x02') + 16;
  bytes[checksumAt] = (bytes[checksumAt] ?? 0) ^ 1;
  writeFileSync(inRoot('broken.zip'), bytes);

  const { makeWritable } = Folder.prototype;
  Folder.prototype.makeWritable = () => Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }));
  try {
    const unpacking = unpackFile(files, { archive_path: 'broken.zip', path: '', overwrite: false });
    await expect(unpacking).rejects.toThrow('The archive is broken');
  } finally {
    Folder.prototype.makeWritable = makeWritable;
  }
  expect(readdirSync(root)).toContainEqual(expect.stringMatching(/^\.gantry-/));
  await files.temporaries.recover();
  expect(readdirSync(root).toSorted()).toEqual(['broken.zip', 'file']);
});

const whereMountable = canMountDisk() ? it : it.skip;

whereMountable('a directory is deleted where the disk is too full for a record of that', async () => {
  const temporary = join(directory, 'temporary');
  mountSmallDisk(temporary, 4096);
  try {
    // The directory of the disk itself takes the one page that there is.
    writeFileSync(join(temporary, 'filling'), Buffer.alloc(4096));
    mkdirSync(inRoot('large/inner'), { recursive: true });
    writeFileSync(inRoot('large/inner/file'), 'large');
    await files.delete('large', true);
    expect(readdirSync(root)).toEqual([]);
  } finally {
    unmountSmallDisk(temporary);
  }
});

// The backups of one instance as a class: whole or not at all, restored to the byte, and nothing believed of an archive.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstanceBackups } from '../../agent/src/backups/instance-backups.ts';
import { openBackups } from './support/backups.ts';

let directory: string;
let root: string;
let kept: string;
let backups: InstanceBackups;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-backups-'));
  root = join(directory, 'root');
  kept = join(directory, 'kept');
  mkdirSync(join(root, 'server/main'), { recursive: true });
  writeFileSync(join(root, 'server/main/map.sav'), Buffer.alloc(700_000, 'abc'));
  writeFileSync(join(root, 'server/main/player.db'), 'players');
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(join(root, 'empty'));
  backups = openBackups(directory);
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Every file with its mode and content, every directory, and every link. */
function contents(of = root): string {
  const script = `cd "$1" && find . -type f -printf '%P %m ' -exec sha256sum {} ';' | sort && find . ! -type f -printf '%P %y %l\\n' | sort`;
  return execFileSync('sh', ['-c', script, 'sh', of]).toString();
}

const id = (n: number) => `0199a1f0-6c1e-7a44-9d0e-00000000000${n}`;

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

// An instance with files, and its backups: forged archives, restored contents and modes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import type { InstanceBackups } from '../../../agent/src/backups/instance-backups.ts';
import { openBackups } from './backups.ts';

export let directory: string;
export let root: string;
export let kept: string;
export let backups: InstanceBackups;

/** A new directory for each test, with an instance of which there is no backup. */
export function openInstanceForEachTest(): void {
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
}

/** Every file with its mode and content, every directory, and every link. */
export function contents(of = root): string {
  const script = `cd "$1" && find . -type f -printf '%P %m ' -exec sha256sum {} ';' | sort && find . ! -type f -printf '%P %y %l\\n' | sort`;
  return execFileSync('sh', ['-c', script, 'sh', of]).toString();
}

/** Every directory with its mode. */
export function modes(): string {
  return execFileSync('find', [root, '-type', 'd', '-printf', '%P %m\n'])
    .toString()
    .split('\n')
    .toSorted()
    .join('\n');
}

export const id = (n: number) => `0199a1f0-6c1e-7a44-9d0e-00000000000${n}`;

/** Gives directories unusual modes, and makes a backup. */
export async function backUpModes(): Promise<string> {
  mkdirSync(join(root, 'server/main/inner'));
  writeFileSync(join(root, 'server/main/inner/file'), 'file');
  chmodSync(join(root, 'server/main/inner'), 0o555);
  chmodSync(join(root, 'server/main'), 0o550);
  chmodSync(join(root, 'empty'), 0o2770);
  await backups.create({ id: id(1), kind: 'manual' });
  return `${modes()}\n${contents()}`;
}

export const replaced = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');

/** A hostile archive whose manifest fits its content. */
export async function forged(path: string, mode: number): Promise<Buffer> {
  const zip = new ZipFile();
  const name = path.replace('../', 'xx/');
  zip.addBuffer(Buffer.from('evil'), name, { mode, compress: false });
  const sha256 = createHash('sha256').update('evil').digest('hex');
  const listed = JSON.stringify({ path, isDirectory: false, size: 4, mode: 0o644, mtimeMs: 0, sha256 });
  zip.addBuffer(Buffer.from(`${listed}\n`), '.gantry-manifest.jsonl', { compress: false });
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  return replaced(name, path)(Buffer.concat(parts));
}

// A file system with very little space, for tests of a full disk.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replaces an empty directory. */
export function mountSmallDisk(path: string, bytes: number): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
  if (status !== 0) throw new Error(`no disk can be mounted: ${String(stderr)}`);
}

/** Works while a process still has files of it open. */
export function unmountSmallDisk(path: string): void {
  spawnSync('umount', ['--lazy', path]);
}

/** Whether this machine lets its tests mount one. */
export function canMountDisk(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'gantry-disk-'));
  try {
    mountSmallDisk(path, 4096);
    unmountSmallDisk(path);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(path);
  }
}

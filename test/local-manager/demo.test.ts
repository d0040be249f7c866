// The demo on a machine that lacks a program: one line that names it, and nothing left behind.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { missingPrograms, postgresFolder } from '../../local-manager/stand-ins/needed-programs.ts';

const demo = resolve(import.meta.dirname, '../../local-manager/stand-ins/demo.ts');

it('names sshd and its package', () => {
  expect(missingPrograms((name) => (name === 'sshd' ? undefined : `/usr/bin/${name}`))).toBe(
    'The demo needs sshd (Debian package openssh-server). Install what is missing and start it again.',
  );
});

it('takes the clients of the version that its database has, whichever are first on the path', () => {
  const folder = postgresFolder('/nonexistent') ?? '';
  const version = (name: string) =>
    execFileSync(join(folder, name), ['--version'], { encoding: 'utf8' }).match(/[\d.]+/)?.[0];
  expect(version('pg_dump')).toBe(version('postgres'));
});

it('ends with one line and leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-demo-test-'));
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', demo], {
      env: { PATH: '/nonexistent', TMPDIR: folder, HOME: folder },
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^The demo needs .*kubectl \(Debian package kubernetes-client\).*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Paths that no file operation may accept, and hostile entries behind harmless paths: one table for all
// tests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** For the platform and the agent alike, for every operation. */
export const hostilePaths: readonly string[] = [
  '..',
  '.',
  './a',
  '../a',
  'a/..',
  'a/../b',
  'a/../../b',
  'a/./b',
  '/',
  '/etc/passwd',
  '//server/share/a',
  'a//b',
  'a/',
  '\\',
  '\\\\server\\share\\a',
  'a\\..\\b',
  '..\\a',
  'C:',
  'C:\\a',
  'c:a',
  'C:/a',
  'a/C:/b',
  'file:stream',
  'file::$DATA',
  'a\0b',
  'a\nb',
  'a\u0085b',
  'a\u007fb',
  'a.',
  'a ',
  ' a',
  'a./b',
  'a /b',
  'a/ b',
  '...',
  '. .',
  'CON',
  'con',
  'Con.txt',
  'aUx.json',
  'nul',
  'NUL .txt',
  'a/PRN/b',
  'com1',
  'COM9.log',
  'lpt0',
  'LPT¹',
  'com².txt',
  'CONIN$',
  'conout$.x',
  'a*b',
  'a?b',
  'a"b',
  'a<b',
  'a>b',
  'a|b',
  '.gantry-x',
  '.GANTRY-x',
  'a/.Gantry-00000000-0000-0000-0000-000000000000',
  'a\ud800b',
  'x'.repeat(256),
  'ü'.repeat(128),
  `${'a/'.repeat(200)}a`,
  `${'a/'.repeat(512)}a`,
];

/** Unusual paths that are valid. */
export const harmlessPaths: readonly string[] = [
  'a',
  'a/b',
  'oxide/plugins/Kits.cs',
  '..a',
  'a...b',
  '.hidden',
  'con1',
  'console.log',
  'comma',
  'com10',
  'nul_',
  'ü',
  '服务器/数据',
  '%2e%2e',
  '~',
  '$HOME',
  '`id`',
  "a'b",
  'a;b',
  'a&b',
  'x'.repeat(255),
  `${'a/'.repeat(199)}a`,
];

/** An entry below an instance's root that leads outside or is not a file, and the path that reaches it. */
export interface HostilePlace {
  path: string;
  /** Whether it is a parent of the path instead of its end. */
  isOnTheWay: boolean;
  make: (root: string, outside: string) => void;
}

const onTheWay = (path: string, make: HostilePlace['make']): HostilePlace => ({
  path,
  isOnTheWay: true,
  make,
});
const atTheEnd = (path: string, make: HostilePlace['make']): HostilePlace => ({
  path,
  isOnTheWay: false,
  make,
});

/** `outside` has a file `secret`; the root has a file `victim`. */
export const hostilePlaces: Record<string, HostilePlace> = {
  'a link to a directory elsewhere': onTheWay('to-outside/secret', (root, outside) =>
    symlinkSync(outside, join(root, 'to-outside')),
  ),
  'a link to a directory elsewhere, for something new': onTheWay('to-new/new', (root, outside) =>
    symlinkSync(outside, join(root, 'to-new')),
  ),
  'a link to the parent': onTheWay('to-parent/outside/secret', (root) =>
    symlinkSync('..', join(root, 'to-parent')),
  ),
  'a link to the root itself': onTheWay('to-itself/victim', (root) =>
    symlinkSync('.', join(root, 'to-itself')),
  ),
  'a link deep within': onTheWay('deep/within/secret', (root, outside) => {
    mkdirSync(join(root, 'deep'));
    symlinkSync(outside, join(root, 'deep/within'));
  }),
  'a link to a file elsewhere': atTheEnd('link', (root, outside) =>
    symlinkSync(join(outside, 'secret'), join(root, 'link')),
  ),
  'a link to nothing yet': atTheEnd('dangling', (root, outside) =>
    symlinkSync(join(outside, 'new'), join(root, 'dangling')),
  ),
  'a link to a directory': atTheEnd('folder-link', (root, outside) =>
    symlinkSync(outside, join(root, 'folder-link')),
  ),
  'a pipe': atTheEnd('pipe', (root) => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
  }),
  'a socket': atTheEnd('socket', (root) => {
    const script = `require('node:net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))`;
    execFileSync('sh', ['-c', '"$1" -e "$2" || true', 'sh', process.execPath, script], {
      cwd: root,
      stdio: 'ignore',
    });
  }),
  ...(process.getuid?.() === 0 && {
    'a device': atTheEnd('device', (root) => {
      execFileSync('mknod', [join(root, 'device'), 'c', '1', '5']);
    }),
  }),
};

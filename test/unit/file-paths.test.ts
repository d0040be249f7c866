// The platform and the agent accept the same file paths, and none outside the root.
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import type { InstanceConfig } from '../../agent/src/config.ts';
import { FileError } from '../../agent/src/instance-files/file-error.ts';
import { stepsOf } from '../../agent/src/instance-files/file-path.ts';
import type { InstanceFiles } from '../../agent/src/instance-files/instance-files.ts';
import { SaveFolder } from '../../agent/src/wipes/save-folder.ts';
import { pathFault } from '../../src/services/files/path.ts';
import { fileNameOf } from '../../src/services/maps/file-name.ts';
import { contract } from '../support/contract.ts';
import { harmlessPaths, hostilePaths } from '../support/hostile-paths.ts';
import { acceptsText } from '../support/schemas.ts';

const { schemas } = contract.components;

function agentTakes(path: string): boolean {
  try {
    stepsOf(path);
    return true;
  } catch {
    return false;
  }
}

const platformTakes = (path: string) => pathFault(path) === undefined;
const schemaTakes = acceptsText(schemas['FilePath'] ?? {}, schemas);

it.each(hostilePaths)('neither accepts %j', (path) => {
  expect(agentTakes(path)).toBe(false);
  expect(platformTakes(path) && schemaTakes(path)).toBe(false);
});

it.each([...hostilePaths, ...harmlessPaths])('a map called %j has a harmless file name', (name) => {
  const file = fileNameOf({ name, sha256: 'a'.repeat(64) });
  expect(file).toMatch(/^[a-z0-9][a-z0-9-]*-a{12}\.map$/);
  expect([agentTakes(`maps/${file}`), platformTakes(`maps/${file}`)]).toEqual([true, true]);
});

it.each(hostilePaths)('a server whose identity is %j has no save folder', (identity) => {
  const args = ['+server.identity', identity];
  const config = { args, cwd: '/root', root: '/root' } as unknown as InstanceConfig;
  expect(() => SaveFolder.of(config, {} as InstanceFiles)).toThrow(FileError);
});

it.each(harmlessPaths)('both accept %j', (path) => {
  expect([agentTakes(path), platformTakes(path), schemaTakes(path)]).toEqual([true, true, true]);
});

/** Texts that are likely to be near the limits of the rules. */
const pieces = fc.constantFrom(
  ...['.', '..', '/', '\\', ':', ' ', 'a', 'b', 'CON', 'nul', 'com1', '.txt', '\0', '~', 'ü', '¹', '$', '-'],
);
const paths = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

it('both accept the same paths', () => {
  fc.assert(
    fc.property(paths, (path) => {
      expect([path, agentTakes(path)]).toEqual([path, platformTakes(path)]);
    }),
    { numRuns: 5_000 },
  );
});

it('accepted paths stay below the root on every host and are unambiguous', () => {
  fc.assert(
    fc.property(paths, (path) => {
      if (!agentTakes(path)) return;
      expect(posix.normalize(path)).toBe(path);
      expect(posix.relative('/root', posix.resolve('/root', path))).toBe(path);
      const onWindows = win32.resolve('C:\\root', path);
      expect(win32.relative('C:\\root', onWindows)).toBe(path.replaceAll('/', '\\'));
    }),
    { numRuns: 5_000 },
  );
});

it('the contract accepts no less than the platform does', () => {
  fc.assert(
    fc.property(paths, (path) => {
      if (platformTakes(path)) expect([path, schemaTakes(path)]).toEqual([path, true]);
    }),
    { numRuns: 5_000 },
  );
});

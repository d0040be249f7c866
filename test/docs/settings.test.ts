// Settings that the documents name exist, and the list of settings has all of the platform's.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(resolve(root, file), 'utf8');
const setting = /\b(?:GANTRY|DATABASE|NATS|S3|SMTP)_[A-Z0-9_]*[A-Z0-9]\b/g;

const namesIn = (files: readonly string[]) =>
  new Set(files.flatMap((file) => [...textOf(file).matchAll(setting)].map(([name]) => name)));

const sourcesOf = (...folders: string[]) =>
  folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));

it.each(globSync('docs/**/*.md', { cwd: root }).toSorted())('%s names existing settings only', (file) => {
  const known = namesIn([
    'compose.yaml',
    'jest.config.js',
    ...sourcesOf('src', 'agent', 'cli', 'local-manager', 'shared', 'scripts', 'test'),
  ]);
  expect([...namesIn([file])].filter((name) => !known.has(name))).toEqual([]);
});

it('docs/operations.md lists every setting of the platform', () => {
  const [, section = ''] = textOf('docs/operations.md').split('\n## Settings\n');
  const listed = new Set([...(section.split('\n## ')[0] ?? '').matchAll(setting)].map(([name]) => name));
  const read = namesIn([...sourcesOf('src/config'), 'src/payments/settings.ts']);
  expect([...read].filter((name) => !listed.has(name))).toEqual([]);
});

it('docs/scaling.md names settings of that list only', () => {
  const listed = namesIn(['docs/operations.md']);
  const named = namesIn(['docs/scaling.md']);
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !listed.has(name))).toEqual([]);
});

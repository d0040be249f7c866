// Building a page: once for its sources, and without disturbing another process that has built the same page.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfChanged } from '../../shared/page-build.ts';

const root = mkdtempSync(join(tmpdir(), 'gantry-page-'));
const directory = join(root, 'built');
const other = join(root, 'other');
const page = { root, sources: ['*.txt'], script: join(root, 'build.mjs'), directory };
const build = () => buildIfChanged(page, () => undefined);

/** Builds the page; if another process has one ready, that is put in place in the meantime. */
const script = `
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
const [fresh] = process.argv.slice(2);
mkdirSync(fresh);
writeFileSync(fresh + '/index.html', 'page');
if (existsSync(${JSON.stringify(other)})) cpSync(${JSON.stringify(other)}, ${JSON.stringify(directory)}, { recursive: true });
`;

beforeAll(() => {
  writeFileSync(page.script, script);
  writeFileSync(join(root, 'source.txt'), 'one');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it('builds a page when its sources have changed', async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  writeFileSync(join(root, 'source.txt'), 'two');
  expect(await build()).toBe(true);
  expect(existsSync(join(directory, 'index.html'))).toBe(true);
});

it('leaves the same page in place that another process has built meanwhile', async () => {
  cpSync(directory, other, { recursive: true });
  writeFileSync(join(other, 'of-the-other'), '');
  rmSync(directory, { recursive: true });
  expect(await build()).toBe(true);
  expect(existsSync(join(directory, 'of-the-other'))).toBe(true);
});

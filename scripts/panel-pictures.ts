// Makes the pictures of docs/panel from a run of the panel's tests: `npm run panel:pictures [-- DIRECTORY]`, where the
// directory has the pictures of such a run already.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';
import { parts, type Picture } from './panel-pictures/list.ts';

const root = resolve(import.meta.dirname, '..');
const target = join(root, 'docs/panel');
const maxBytes = 8 * 1024 * 1024;
/** Text stays sharp, and a screen is some 30 KB. */
const quality = 0.82;

const [given] = process.argv.slice(2);
const source = given === undefined ? runTests() : resolve(given);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  let bytes = 0;
  for (const { pictures } of parts) for (const picture of pictures) bytes += await convert(page, picture);
  if (bytes > maxBytes) throw new Error(`the pictures have ${bytes} bytes, more than ${maxBytes}`);
  console.log(`${(bytes / 1024 / 1024).toFixed(1)} MB in docs/panel`);
} finally {
  await browser.close();
}
writeFileSync(join(target, 'README.md'), index());

function runTests(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-pictures-'));
  const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', 'test/panel/'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, GANTRY_TEST_PICTURES: directory },
  });
  if (status !== 0) throw new Error(`tests failed; their pictures are in ${directory}`);
  return directory;
}

/** The browser itself writes WebP, so that no other program is needed. */
async function convert(page: Page, { screen }: Picture): Promise<number> {
  const file = join(source, `${screen}.png`);
  if (!existsSync(file)) throw new Error(`${file} is missing: no test keeps that picture`);
  const png = readFileSync(file).toString('base64');
  const webp = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${quality} });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  const bytes = Buffer.from(webp, 'base64');
  writeFileSync(join(target, nameOf(screen)), bytes);
  return bytes.length;
}

function nameOf(screen: string): string {
  return `${screen.replaceAll('/', '-')}.webp`;
}

function index(): string {
  const sections = parts.map(({ title, pictures }) =>
    [
      `## ${title}`,
      ...pictures.map(({ screen, words }) => `${words}\n\n![${words}](${nameOf(screen)})`),
    ].join('\n\n'),
  );
  return `${['# The panel in pictures', 'Made by `npm run panel:pictures` from a run of the tests.', ...sections].join('\n\n')}\n`;
}

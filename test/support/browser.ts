// A real browser for tests that look at pages.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Without Chromium these tests are left out, but never in CI; `apt-get install chromium` brings them back. */
export const describeInBrowser =
  executablePath === undefined && process.env['CI'] === undefined ? describe.skip : describe;

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('install Chromium: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] });
}

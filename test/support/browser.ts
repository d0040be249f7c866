// A real browser for tests of pages.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { unpackNpmBrowser } from './npm-browser.ts';
import { patient } from './patience.ts';

/** The one without windows takes a fifth less CPU time for the same pages. */
const installedBrowser = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find(existsSync);

const patienceMs = 30_000;
const ownArguments = ['--no-sandbox', '--disable-quic'];

/** Opens an installed Chrome or Chromium, else the Chromium of the npm package. */
export async function openBrowser(): Promise<Browser> {
  if (installedBrowser !== undefined && process.env['GANTRY_TEST_NPM_BROWSER'] !== '1')
    return chromium.launch({ executablePath: installedBrowser, args: ownArguments });
  const { executablePath, env } = await unpackNpmBrowser();
  return chromium.launch({ executablePath, env, args: ownArguments });
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true };
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** Opens a page, and records violations of its policy and errors. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ locale: 'en', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patient(patienceMs));
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
}

/** How many pixels the page is wider than its window. */
export const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

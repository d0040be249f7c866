// The manager's page in a browser, over a world of stand-ins of its own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { WorldOptions } from '../../../local-manager/stand-ins/world.ts';
import { ManagerWorld } from './manager.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Operations go through several programs each, on a machine that does other things too. */
const patienceMs = 60_000;

export class ManagerPage {
  readonly at: ManagerWorld;
  readonly page: Page;
  /** What the page's policy had to stop, and what broke in it. */
  readonly faults: string[] = [];

  private constructor(at: ManagerWorld, page: Page) {
    this.at = at;
    this.page = page;
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
  }

  /** Follows the link that the manager prints. */
  static async open(browser: Browser, world: WorldOptions): Promise<ManagerPage> {
    const at = await ManagerWorld.start(world);
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 860 } });
    const opened = new ManagerPage(at, await context.newPage());
    await opened.page.goto(at.manager.link);
    await opened.see('Dashboard');
    return opened;
  }

  async close(): Promise<void> {
    await this.page.context().close();
    await this.at.stop();
  }

  /** Goes to a page by its tab. */
  async go(tab: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: tab }).click();
    await this.see(tab);
  }

  see(heading: string): Promise<void> {
    return this.page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }

  says(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  press(button: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name: button, exact: true }).click();
  }

  /** Presses the button that asks first, and then the one of the question. */
  async pressAndConfirm(button: string, answer: string): Promise<void> {
    await this.press(button);
    await this.page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click();
  }

  /** The panel with this title. */
  panel(title: string) {
    return this.page.getByRole('region', { name: title, exact: true });
  }

  alert(title: string): Promise<void> {
    return this.page.getByRole('alert').filter({ hasText: title }).first().waitFor();
  }

  async violations(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    const { violations } = await this.page.evaluate<AxeResults>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })`,
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  /** Whether all of it fits into a window this wide. */
  async fits(viewport: NonNullable<BrowserContextOptions['viewport']>): Promise<boolean> {
    await this.page.setViewportSize(viewport);
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
  }
}

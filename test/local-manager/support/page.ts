// The manager's page in a browser, over a simulated world of its own.
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { WorldOptions } from '../../../local-manager/stand-ins/world.ts';
import { looks, violationsOf } from '../../support/accessibility.ts';
import { patient } from '../../support/patience.ts';
import { until } from '../../support/until.ts';
import { ManagerWorld } from './manager.ts';

/** Operations run several programs each. */
const patienceMs = 60_000;

/** More than any page has focusable elements. */
const maxSteps = 150;

/** Whether the focused element looks different from its unfocused state; the page itself needs no mark. */
const showsFocus = `(async () => {
  const element = document.activeElement;
  if (element === document.body || element.tabIndex < 0) return true;
  const look = async () => {
    await Promise.all(element.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    const { outline, borderColor, boxShadow } = getComputedStyle(element);
    return [outline, borderColor, boxShadow].join();
  };
  const focused = await look();
  element.blur();
  const plain = await look();
  element.focus({ preventScroll: true });
  return focused !== plain;
})()`;

const desk = { width: 1280, height: 860 };
const phone = { width: 390, height: 844 };

const focusedElement = 'document.activeElement.outerHTML.slice(0, 300)';

const beyondTheWindow = `[...document.querySelectorAll('main *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.scrollable'))
  .map((element) => element.outerHTML.slice(0, 120))`;

export class ManagerPage {
  readonly at: ManagerWorld;
  readonly page: Page;
  /** Violations of the page's policy, and errors. */
  readonly faults: string[] = [];

  private constructor(at: ManagerWorld, page: Page) {
    this.at = at;
    this.page = page;
    page.setDefaultTimeout(patient(patienceMs));
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
  }

  /** Follows the link that the manager prints. */
  static async open(browser: Browser, world: WorldOptions): Promise<ManagerPage> {
    const at = await ManagerWorld.start(world);
    const context = await browser.newContext({
      locale: 'en',
      viewport: desk,
      reducedMotion: 'reduce',
    });
    const opened = new ManagerPage(at, await context.newPage());
    await opened.page.goto(at.manager.link);
    await opened.see('Dashboard');
    return opened;
  }

  async close(): Promise<void> {
    await this.page.context().close();
    await this.at.stop();
  }

  /** Opens a page by its tab. */
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

  /** The accessible text of the focused element. */
  textOfFocus(): Promise<string> {
    return this.page.evaluate<string>('document.activeElement.textContent');
  }

  async hasFocus(target: Locator): Promise<boolean> {
    return (await target.and(this.page.locator(':focus')).count()) > 0;
  }

  /** Moves there with the Tab key, and records elements without a visible focus. */
  async tabTo(target: Locator): Promise<void> {
    await until(() => target.isEnabled(), 'it to be focusable', patienceMs);
    for (let steps = 0; steps < maxSteps; steps += 1) {
      await this.page.keyboard.press('Tab');
      if (!(await this.page.evaluate<boolean>(showsFocus)))
        this.faults.push(`no focus is seen on ${await this.page.evaluate<string>(focusedElement)}`);
      if (await this.hasFocus(target)) return;
    }
    throw new Error(`the Tab key does not lead to ${target.toString()}: ${this.faults.join()}`);
  }

  /** The same for a button or a link, then presses it with the Enter key. */
  async enter(role: 'button' | 'link', name: string): Promise<void> {
    await this.tabTo(this.page.getByRole(role, { name, exact: true }));
    await this.page.keyboard.press('Enter');
  }

  /** The same for a field, then types into it; a select moves to the option with that prefix. */
  async type(label: string, text: string): Promise<void> {
    await this.tabTo(this.page.getByLabel(label));
    await this.page.keyboard.type(text);
  }

  /** Presses the button that asks first, and then the one in the dialog. */
  async pressAndConfirm(button: string, response: string): Promise<void> {
    await this.press(button);
    await this.page.getByRole('dialog').getByRole('button', { name: response, exact: true }).click();
  }

  /** The panel with this title. */
  panel(title: string) {
    return this.page.getByRole('region', { name: title, exact: true });
  }

  alert(title: string): Promise<void> {
    return this.page.getByRole('alert').filter({ hasText: title }).first().waitFor();
  }

  /** Accessibility violations of the current page: on a wide screen and on a phone, in light and in dark. */
  async barriers(what: string): Promise<string[]> {
    const found: string[] = [];
    let width = 0;
    for (const { isPhone, colorScheme, rules } of looks) {
      const viewport = isPhone ? phone : desk;
      if (viewport.width !== width) {
        width = viewport.width;
        if (!(await this.fits(viewport))) found.push(`${what}: wider than ${width} px`);
      }
      await this.page.emulateMedia({ colorScheme });
      const look = `${what}, ${width} px, ${colorScheme}`;
      found.push(...(await violationsOf(this.page, rules)).map((violation) => `${look}: ${violation}`));
    }
    await this.page.setViewportSize(desk);
    return found;
  }

  /** Elements that make the page wider than the narrowest screens; none is expected. */
  async wideAt320(): Promise<string[]> {
    const isNarrow = await this.fits({ width: 320, height: 640 });
    const wide = isNarrow ? [] : ['the page', ...(await this.page.evaluate<string[]>(beyondTheWindow))];
    await this.page.setViewportSize(desk);
    return wide;
  }

  /** Whether all of it fits into a window this wide. */
  async fits(viewport: NonNullable<BrowserContextOptions['viewport']>): Promise<boolean> {
    await this.page.setViewportSize(viewport);
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
  }
}

// The web panel in a browser, as one of its visitors.
import { basename, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import request from 'supertest';
import { looks, violationsOf } from '../../support/accessibility.ts';
import { password, signIn } from '../../support/world.ts';
import { patient } from '../../support/patience.ts';

/** Cells that lie beside the frame of their table, by their text. */
const cellsOutside = `[...document.querySelectorAll('[role=table]')].flatMap((table) => {
  const { right } = table.getBoundingClientRect();
  return [...table.querySelectorAll('[role=cell], [role=columnheader]')]
    .filter((cell) => cell.getBoundingClientRect().right > right + 1)
    .map((cell) => 'outside of its table at ' + innerWidth + ' px: ' + cell.outerHTML.slice(0, 120));
})`;

export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Set to a directory to keep a picture of each screen that is checked, at both widths and in both schemes, by suite. */
const picturesDirectory = process.env['GANTRY_TEST_PICTURES'];

/** Pages load their parts when they are opened. */
const patienceMs = 30_000;

/** What is visited: a world, or a platform that runs as a program. */
export interface PanelSite {
  readonly url: string;
  atEnd(close: () => Promise<unknown>): void;
}

export interface VisitorOptions {
  locale?: string;
  /** Brings the cookie of a session of this user; without it the visitor starts at the sign-in page. */
  email?: string;
  /** The first page; `/` unless given. */
  path?: string;
  /** That of a desk unless given. */
  viewport?: typeof desk;
}

/** In any language. */
const accountMenu = /Account menu|Kontomenü/;

/** The cookie that the sign-in page would obtain. Suites of signing in use that page; for others it is a second load. */
async function sessionCookie(url: string, email: string) {
  const { session } = await signIn(url, email);
  const { headers } = await request(url)
    .post('/auth/browser-session')
    .set('Origin', url)
    .send({ refresh_token: session.refresh_token })
    .expect(200);
  const [, name = '', value = '', path = '/'] =
    /^([^=]+)=([^;]*);.*Path=([^;]+)/i.exec(String(headers['set-cookie'])) ?? [];
  const { hostname } = new URL(url);
  return { name, value, path, domain: hostname, httpOnly: true, sameSite: 'Strict' as const };
}

export class Visitor {
  readonly page: Page;
  readonly #site: PanelSite;
  /** Errors of the page, and violations of its policy. */
  readonly faults: string[] = [];
  readonly #context: BrowserContext;

  private constructor(site: PanelSite, context: BrowserContext, page: Page) {
    this.#site = site;
    this.page = page;
    this.#context = context;
    page.setDefaultTimeout(patient(patienceMs));
    this.#watch(page);
  }

  /** A browser of their own; the world closes it. */
  static async open(
    browser: Browser,
    site: PanelSite,
    { locale = 'en', email, path = '/', viewport = desk }: VisitorOptions = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({ locale, viewport, reducedMotion: 'reduce' });
    site.atEnd(() => context.close());
    if (email !== undefined) await context.addCookies([await sessionCookie(site.url, email)]);
    const visitor = new Visitor(site, context, await context.newPage());
    await visitor.go(path);
    if (email !== undefined) await visitor.page.getByRole('button', { name: accountMenu }).waitFor();
    return visitor;
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
  }

  /** Another tab of the same browser, with the same session. */
  async openTab(path: string): Promise<Page> {
    const tab = await this.#context.newPage();
    this.#watch(tab);
    tab.setDefaultTimeout(patient(patienceMs));
    await tab.goto(`${this.#site.url}${path}`);
    return tab;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.#site.url}${path}`);
  }

  async signIn(email: string, secret = password): Promise<void> {
    await this.page.locator('input[autocomplete=username]').fill(email);
    await this.page.locator('input[autocomplete=current-password]').fill(secret);
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('button', { name: accountMenu }).waitFor();
  }

  /** Waits for the heading. */
  see(heading: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  }

  says(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  press(button: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return within.getByRole('button', { name: button, exact: true }).click();
  }

  follow(link: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return within.getByRole('link', { name: link, exact: true }).click();
  }

  fill(label: string, text: string, within: Page | Locator = this.page): Promise<void> {
    return within.getByLabel(label, { exact: true }).fill(text);
  }

  /** The section with this title. */
  section(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true });
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** The row of a table that begins with this name. */
  row(name: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  /** Confirms the identity in the dialog that a sensitive change opens. */
  async stepUp(): Promise<void> {
    await this.fill('Password', password, this.dialog);
    await this.press('Confirm', this.dialog);
  }

  /** Everything that keeps people from using the screen: at both widths, in both schemes. */
  async barriers(screen: string): Promise<string[]> {
    const found: string[] = [];
    let width = 0;
    for (const { isPhone, colorScheme, rules } of looks) {
      const viewport = isPhone ? phone : desk;
      if (viewport.width !== width) {
        width = viewport.width;
        await this.page.setViewportSize(viewport);
        if (await this.page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'))
          found.push(`${screen}: wider than ${width} px`);
        found.push(...(await this.page.evaluate<string[]>(cellsOutside)).map((cell) => `${screen}: ${cell}`));
      }
      await this.page.emulateMedia({ colorScheme });
      const look = `${screen}-${width}-${colorScheme}`;
      await this.keepPicture(look);
      const violations = await violationsOf(this.page, rules);
      found.push(...violations.map((violation) => `${look}: ${violation}`));
    }
    await this.page.setViewportSize(desk);
    return found;
  }

  /** A picture of the screen as it is. */
  async keepPicture(name: string): Promise<void> {
    if (picturesDirectory === undefined) return;
    const suite = basename(expect.getState().testPath ?? '', '.test.ts');
    await this.page.screenshot({ path: join(picturesDirectory, suite, `${name}.png`) });
  }
}

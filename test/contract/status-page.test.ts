// The public status page in a real browser: its content, visibility and accessibility.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createInstance, createWipe } from '../support/rows.ts';
import { violationsOf } from '../support/accessibility.ts';
import { desk, openBrowser, openPage, overflowOf, phone } from '../support/browser.ts';
import { World, type Tenant } from '../support/world.ts';

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

/** What a browser fires when a user returns to the page. */
const showAgain = `document.dispatchEvent(new Event('visibilitychange'))`;

describe('/status', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.create({ roles: ['api'] });
    browser = await openBrowser();
    tenant = await world.createTenant({ name: 'Rusty Islands' });
    await world
      .call('patch', '/api/site-config', tenant.owner)
      .send({ is_public: true, is_listed_by_default: true, status_page_description: 'Islands & <more>' })
      .expect(200);
    const shown = {
      game: 'rust',
      state: 'running',
      players: 61,
      max_players: 100,
      queued: 12,
      fps: 58.9,
      map: 'Procedural Map',
    };
    const main = await createInstance(world, tenant, { name: 'main', ...shown });
    await createInstance(world, tenant, { name: 'second', state: 'starting' });
    await createInstance(world, tenant, { name: 'third', state: 'crashed' });
    await createWipe(world, tenant, {
      instance_id: main,
      status: 'completed',
      finished_at: '2026-11-19T18:04:40Z',
    });
    await world
      .call('patch', `/api/site-config/instances/${main}`, tenant.owner)
      .send({
        display_name: `Main ${markup}`,
        description: `Welcome\n${markup}`,
        wipe_schedule: { cron: '0 19 * * THU', time_zone: 'Europe/Berlin' },
      })
      .expect(200);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const open = (path: string, options: BrowserContextOptions = {}) =>
    openPage(browser, `${world.url}${path}`, options);

  const cards = (page: Page) => page.locator('#servers > li');

  it('shows every public server, with its figures', async () => {
    const { page, faults } = await open('/status');
    await cards(page).nth(2).waitFor();
    const first = await cards(page).first().innerText();
    for (const text of [
      'Online',
      '61 of 100, 12 queued',
      'Procedural Map',
      'Rusty Islands',
      'Last wipe',
      ', map',
      'Next wipe',
    ])
      expect(first).toContain(text);
    expect(await page.locator('.state').allInnerTexts()).toEqual(['Online', 'Starting', 'Offline']);
    expect(await page.locator('#sums dd').allInnerTexts()).toEqual(['3', '1', '61']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows names and descriptions as plain text', async () => {
    const { page, faults } = await open(`/status/${tenant.license.subdomain}`);
    await cards(page).nth(2).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Rusty Islands');
    expect(await page.locator('#about').innerText()).toBe('Islands & <more>');
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(`Main ${markup}`);
    expect(await page.locator('img, main script, iframe').count()).toBe(0);
    expect(await page.title()).toBe('Rusty Islands · Server status');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reports an unknown page, an empty one, and an unreachable platform', async () => {
    const nothing = await world.createTenant({ name: 'Nothing yet' });
    await world.call('patch', '/api/site-config', nothing.owner).send({ is_public: true }).expect(200);
    for (const [path, text] of [
      ['/status/no-such-license', 'This status page does not exist.'],
      ['/status/%3Cb%3E', 'This status page does not exist.'],
      [`/status/${nothing.license.subdomain}`, 'No server is public yet.'],
    ] as const) {
      const { page } = await open(path);
      await page.getByText(text).waitFor();
      await page.context().close();
    }
    const { page } = await open('/status');
    await cards(page).nth(2).waitFor();
    await page.route('**/api/public/status*', (route) => route.abort());
    await page.evaluate(showAgain);
    await page.getByText('The status cannot be loaded').waitFor();
    expect(await cards(page).count()).toBe(3);
    await page.unroute('**/api/public/status*');
    await page.evaluate(showAgain);
    await page.getByText('The status cannot be loaded').waitFor({ state: 'detached' });
    expect(await cards(page).count()).toBe(3);
    await page.context().close();
  });

  it.each([
    ['a phone by day', { ...phone, colorScheme: 'light' }],
    ['a phone by night', { ...phone, colorScheme: 'dark' }],
    ['a desk by day', { ...desk, colorScheme: 'light' }],
    ['a desk by night', { ...desk, colorScheme: 'dark' }],
  ] as const)('is accessible on %s', async (_name, options) => {
    for (const path of ['/status', `/status/${tenant.license.subdomain}`, '/status/no-such-license']) {
      const { page } = await open(path, { ...options, bypassCSP: true });
      await page
        .getByText(/^(Main|This status page does not exist)/)
        .first()
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.context().close();
    }
  });
});

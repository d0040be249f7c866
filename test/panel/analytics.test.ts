// Analytics in the panel: every tab with its chart, the same figures as a table, and files.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { addHistory, type History } from './support/history.ts';
import { Visitor } from './support/panel.ts';

describe('the analytics of the panel', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;
  let history: History;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true });
    tenant = await world.createTenant();
    history = await addHistory(world, tenant);
    await createInstance(world, tenant, { name: 'event' });
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('show players, retention, maps, peak hours, sessions and servers', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/servers' });
    const { page } = visitor;
    await visitor.follow('main');
    await visitor.follow('Analytics');
    await visitor.see('Analytics');
    const perDay = visitor.section('Players per day');
    await perDay
      .getByRole('img', { name: /Most on .* players/ })
      .locator('svg.recharts-surface')
      .first()
      .waitFor();
    expect(await visitor.barriers('players')).toEqual([]);
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.getByLabel('Server', { exact: true }).selectOption('main');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      days: '7',
      instance: history.instanceId,
    });
    await perDay.getByText('Table', { exact: true }).click();
    await perDay.getByRole('table').waitFor();
    expect(await perDay.getByRole('row').count()).toBe(8);

    await visitor.follow('Retention');
    await visitor.section('Players who came back').getByRole('img').locator('svg').first().waitFor();
    await visitor.section('Wipe by wipe').getByText('best').first().waitFor();
    expect(await visitor.barriers('retention')).toEqual([]);
    // The filters stay from tab to tab.
    expect(new URL(page.url()).searchParams.get('instance')).toBe(history.instanceId);
    await page.getByLabel('Number of wipes').selectOption('Last 3 wipes');
    await page.waitForURL(/wipes=3/);
    const file = page.waitForEvent('download');
    await visitor.press('Save as CSV');
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines[0]).toMatch(/^wipe_id,instance_id,/);
    expect(lines).toHaveLength(4);

    await visitor.follow('Maps', visitor.page.getByRole('navigation', { name: 'Analytics' }));
    await page
      .getByRole('row')
      .filter({ hasText: 'Procedural Map' })
      .getByText(/% (good|fair|poor)/)
      .waitFor();
    expect(await visitor.barriers('maps')).toEqual([]);
    await page.getByLabel('Period').selectOption('All days');
    expect(new URL(page.url()).searchParams.get('range')).toBe('all');

    await visitor.follow('Peak hours');
    await visitor
      .section('Players by hour of the week')
      .getByRole('img', { name: /Busiest on/ })
      .waitFor();
    expect(await visitor.barriers('peak-hours')).toEqual([]);
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.waitForURL(/zone=Europe/);

    await visitor.follow('Sessions');
    await visitor.section('How long sessions last').getByRole('img').locator('svg').first().waitFor();
    await page.getByRole('table', { name: 'Latest sessions' }).getByText('Online').waitFor();
    expect(await visitor.barriers('sessions')).toEqual([]);
    await visitor.press('Show more');

    await visitor.follow('Server statistics');
    await visitor.section('Players').locator('canvas').waitFor();
    expect(await visitor.barriers('servers')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('load no chart before one is shown', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/servers' });
    await visitor.row('main').waitFor();
    const scripts = await visitor.page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
    );
    expect(scripts.filter((name) => /plot|chart|recharts|uplot/i.test(name))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(0);
  });

  it('say what is missing for a license without sessions, and speak German', async () => {
    const other = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: other.owner.email, path: '/analytics' });
    await visitor.see('No sessions in this period');
    const saved = visitor.page.waitForEvent('download');
    await visitor.follow('Download Gantry Events');
    expect((await saved).suggestedFilename()).toBe('GantryEvents.cs');
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('class GantryEvents');
    expect(await visitor.barriers('no-sessions')).toEqual([]);
    await visitor.follow('Retention');
    await visitor.see('No completed wipe yet');
    await visitor.follow('Maps', visitor.page.getByRole('navigation', { name: 'Analytics' }));
    await visitor.see('No maps in this period');
    const german = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: '/analytics/peak-hours',
      locale: 'de',
    });
    await german.section('Spieler nach Stunde der Woche').getByRole('img').waitFor();
    expect(await german.barriers('peak-hours-de')).toEqual([]);
    const member = await world.addMemberWith(tenant, { 'fleet.view': true });
    const refused = await Visitor.open(browser, world, { email: member.email, path: '/analytics' });
    await refused.see('You may not see this');
    expect(await refused.page.getByRole('link', { name: 'Analytics' }).count()).toBe(0);
    expect([...visitor.faults, ...german.faults, ...refused.faults]).toEqual([]);
  });
});

// Statistics of a server in the panel: charts of several periods, their tables, and who was on at a moment.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { addHistory, type History } from './support/history.ts';
import { Visitor } from './support/panel.ts';

describe('the statistics of the panel', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;
  let history: History;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true });
    tenant = await world.createTenant();
    history = await addHistory(world, tenant);
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  /** Waits until the chart has drawn a line in the colour that the style sheet now has. */
  const untilDrawn = (visitor: Visitor, title: string, variable: string) =>
    visitor.page.waitForFunction(`(() => {
      const canvas = document.querySelector('[role=img][aria-label^="${title}"] canvas');
      const hex = getComputedStyle(document.documentElement).getPropertyValue('${variable}').trim();
      const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255 && wanted.every((value, index) => data[at + index] === value)) return true;
      return false;
    })()`);

  it('show each figure as a chart and as a table, for a period in the address', async () => {
    const path = `/servers/${history.instanceId}/stats`;
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path });
    const { page } = visitor;
    const memory = visitor.section('Memory');
    await memory.getByRole('img', { name: /Memory\. Between .* on average/ }).waitFor();
    await memory.locator('canvas').waitFor();
    await untilDrawn(visitor, 'Memory', '--page-accent');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await untilDrawn(visitor, 'Memory', '--page-accent');
    expect(await visitor.barriers('stats')).toEqual([]);

    // The charts share their cursor: the legend of each one says its value of that moment.
    await visitor.section('CPU').locator('.u-over').hover();
    await memory.locator('.u-legend').getByText(/GB/).waitFor();
    await visitor.section('Players').getByText('Table', { exact: true }).click();
    await visitor.section('Players').getByRole('table', { name: 'Players' }).waitFor();
    const download = page.waitForEvent('download');
    await visitor.press('Save Players as CSV');
    expect((await download).suggestedFilename()).toBe('players-1h.csv');

    await page.getByLabel('Length of the period').selectOption('7 days');
    await visitor.section('Players').getByText('Highest').waitFor();
    expect(new URL(page.url()).search).toBe('?range=7d');
    expect(await visitor.barriers('stats-7d')).toEqual([]);
    await visitor.press('Earlier');
    await page.waitForURL(/to=/);
    await visitor.press('now');
    await page.getByLabel('Length of the period').selectOption('1 hour');

    await visitor.section('CPU').locator('.u-over').click();
    await page.getByRole('heading', { name: /^On the server at/ }).waitFor();
    await page.getByRole('link', { name: history.steamId }).waitFor();
    await page.waitForURL(/at=/);
    await page.reload();
    await page.getByRole('link', { name: history.steamId }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('say so where nothing was recorded, and offer no averages to people who may not see analytics', async () => {
    const idle = await createInstance(world, tenant, { name: 'idle' });
    const member = await world.addMemberWith(tenant, { 'fleet.view': true });
    const path = `/servers/${idle}/stats`;
    const visitor = await Visitor.open(browser, world, { email: member.email, path });
    await visitor.see('Nothing was recorded');
    expect(await visitor.page.getByLabel('Length of the period').getByRole('option').count()).toBe(2);
    const german = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${history.instanceId}/stats?range=24h`,
      locale: 'de',
    });
    await german.section('Bilder pro Sekunde').locator('canvas').waitFor();
    expect(await german.barriers('stats-de')).toEqual([]);
    expect([...visitor.faults, ...german.faults]).toEqual([]);
  });
});

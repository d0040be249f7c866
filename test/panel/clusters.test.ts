// Clusters in the panel: created, filled with servers, described and deleted.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createInstance } from '../support/rows.ts';
import { World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the clusters of the panel', () => {
  it('are created, filled, renamed and deleted, and a viewer only reads them', async () => {
    const tenant = await world.createTenant();
    await createInstance(world, tenant, { name: 'main' });
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/clusters' });
    await visitor.see('No clusters yet');
    await visitor.press('Create a cluster');
    await visitor.fill('Name', 'EU islands', visitor.dialog);
    await visitor.press('Create', visitor.dialog);
    await visitor.see('EU islands');
    await visitor.says('No server is in this cluster yet.');
    await visitor.page.getByLabel('Add a server').selectOption({ index: 1 });
    await visitor.press('Add');
    await visitor.section('Servers').getByRole('link', { name: 'main' }).waitFor();
    expect(await visitor.barriers('cluster')).toEqual([]);
    await visitor.fill('Description', 'Everything in Frankfurt');
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    await visitor.follow('Clusters', visitor.page.locator('main'));
    await visitor.row('EU islands').getByText('Everything in Frankfurt').waitFor();
    expect(await visitor.barriers('clusters')).toEqual([]);

    const viewer = await world.addMember(tenant, 'Viewer');
    const reader = await Visitor.open(browser, world, { email: viewer.email, path: '/clusters' });
    await reader.follow('EU islands');
    await reader.section('Servers').getByRole('link', { name: 'main' }).waitFor();
    expect(await reader.page.locator('main').getByRole('button').count()).toBe(0);

    await visitor.follow('EU islands');
    await visitor.press('Remove main');
    await visitor.says('No server is in this cluster yet.');
    await visitor.press('Delete the cluster');
    await visitor.press('Delete the cluster', visitor.dialog);
    await visitor.see('No clusters yet');
    expect([...visitor.faults, ...reader.faults]).toEqual([]);
  });

  it('speak German', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, {
      locale: 'de',
      email: tenant.owner.email,
      path: '/clusters',
    });
    await visitor.see('Noch keine Cluster');
    expect(await visitor.barriers('clusters-german')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

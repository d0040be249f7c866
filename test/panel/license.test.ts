// The license: its name, its secrets, and its configuration taken from one license to another.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createCluster } from '../support/rows.ts';
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

describe('the license page', () => {
  it('renames the license, replaces its key and rotates its token after a step-up', async () => {
    const { owner, license } = await world.createTenant({ name: 'Northern servers' });
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/license' });
    await visitor.see('License');
    expect(await visitor.barriers('license')).toEqual([]);
    await visitor.fill('Name', 'Southern servers');
    await visitor.fill('Subdomain', 'www');
    await visitor.says(/move from/);
    await visitor.press('Save');
    await visitor.says(/subdomain|reserved|taken/i);
    await visitor.fill('Subdomain', license.subdomain);
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    const key = visitor.section('License key');
    await visitor.press('Replace the key', key);
    await visitor.fill('Type Southern servers to confirm', 'Southern servers', visitor.dialog);
    await visitor.press('Replace the key', visitor.dialog);
    await visitor.fill('Password', 'not the password', visitor.dialog.last());
    await visitor.press('Cancel', visitor.dialog.last());
    await visitor.press('Cancel', visitor.dialog);
    await visitor.press('Show the key', key);
    await key.getByText(/^GNTRY-/).waitFor();
    await visitor.press('Rotate the token', visitor.section('Companion token'));
    const overlap = visitor.dialog.getByLabel('The former token stays valid for');
    await overlap.selectOption('no time: revoke it immediately');
    await visitor.dialog.getByLabel('Type Southern servers to confirm').waitFor();
    await overlap.selectOption('one hour');
    await visitor.press('Rotate the token', visitor.dialog);
    await visitor.dialog.nth(1).waitFor();
    await visitor.stepUp();
    await visitor.says(/gantry_companion_/);
    expect(await visitor.barriers('license-token')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('takes a configuration to another license, after a check that changes nothing', async () => {
    const [from, to] = [await world.createTenant(), await world.createTenant()];
    await createCluster(world, from, { name: 'EU islands' });
    const source = await Visitor.open(browser, world, { email: from.owner.email, path: '/license' });
    const saved = source.page.waitForEvent('download');
    await source.press('Export the configuration');
    const file = { name: 'configuration.json', mimeType: 'application/json' };
    const buffer = await readFile(await (await saved).path());

    const visitor = await Visitor.open(browser, world, { email: to.owner.email, path: '/license/import' });
    const input = visitor.page.locator('input[type=file]');
    await input.setInputFiles({ ...file, buffer: Buffer.from('{"parts":{}}') });
    await visitor.says('This is not a configuration that Gantry exported.');
    await input.setInputFiles({ ...file, buffer });
    await visitor.press('Check the import');
    await visitor.stepUp();
    await visitor.press(/^Clusters/);
    await visitor.says('EU islands');
    expect(await visitor.barriers('license-import')).toEqual([]);
    const clusters = async () =>
      (await world.call('get', '/api/fleet/clusters', to.owner).expect(200)).body as { data: unknown[] };
    expect((await clusters()).data).toEqual([]);
    await visitor.press(/^Import \d+ changes?$/);
    await visitor.press('Import', visitor.dialog);
    await visitor.says('The configuration was imported.');
    expect((await clusters()).data).toHaveLength(1);
    expect([...source.faults, ...visitor.faults]).toEqual([]);
  });

  it('shows a viewer the license without its secrets, and nothing to change', async () => {
    const tenant = await world.createTenant({ name: 'Northern servers' });
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path: '/license' });
    await visitor.says('Northern servers');
    expect(await visitor.page.getByRole('textbox').count()).toBe(0);
    expect(await visitor.section('License key').count()).toBe(0);
    expect(await visitor.section('Companion token').count()).toBe(0);
  });
});

// Resellers in the panel: created, their terms changed, their key replaced, their bills read.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createReseller, createResellerLicense, insertRow } from '../support/rows.ts';
import { adminEmail, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, roles: ['api'] });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

const monthBefore = (): string => {
  const start = new Date();
  start.setUTCDate(1);
  start.setUTCMonth(start.getUTCMonth() - 1);
  return start.toISOString().slice(0, 7);
};

describe('the resellers of the platform', () => {
  it('creates one, changes its terms, replaces its key and disables it', async () => {
    await createReseller(world, { name: 'Ash Servers' });
    const visitor = await Visitor.open(browser, world, { email: adminEmail, path: '/platform/resellers' });
    await visitor.follow('Ash Servers');
    await visitor.see('Ash Servers');
    await visitor.go('/platform/resellers/new');
    await visitor.fill('Name', 'Ash Servers');
    await visitor.press('Create a reseller');
    await visitor.dialog.waitFor();
    await visitor.stepUp();
    await visitor.says('A reseller named Ash Servers already exists.');
    await visitor.fill('Name', 'Ember Hosting');
    await visitor.fill('Price for a whole month', 'a lot');
    await visitor.press('Create a reseller');
    await visitor.page.locator('input[aria-invalid=true]').waitFor();
    expect(await visitor.barriers('resellers-new')).toEqual([]);
    await visitor.fill('Price for a whole month', '5,5');
    await visitor.press('Create a reseller');
    await visitor.see('The key of Ember Hosting');
    const key = await visitor.page.getByRole('group', { name: 'Key of the reseller' }).innerText();
    expect(await visitor.barriers('resellers-key')).toEqual([]);
    const token = /gantry_host_\w+/.exec(key)?.[0] ?? '';
    await world.call('get', '/api/host/licenses', { token }).expect(200);
    await visitor.press('I have stored the key');
    await visitor.says('$5.50 a server');

    await visitor.fill('Price for a whole month', '7');
    await visitor.page.getByLabel('Charged for').selectOption('license');
    await visitor.press('Save');
    await visitor.says(/from .*: \$7\.00 a license/);
    expect(await visitor.barriers('resellers-settings')).toEqual([]);

    await visitor.press('Replace the key');
    expect(await visitor.barriers('resellers-rotate')).toEqual([]);
    await visitor.fill('Type Ember Hosting to confirm', 'Ember Hosting', visitor.dialog);
    await visitor.press('Replace the key', visitor.dialog);
    await visitor.see('The key of Ember Hosting');
    await world.call('get', '/api/host/licenses', { token }).expect(401);
    await visitor.press('I have stored the key');
    await visitor.press('Disable');
    await visitor.press('Disable', visitor.dialog);
    await visitor.page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    await visitor.follow('Resellers', visitor.page.getByRole('main'));
    await visitor.see('Resellers');
    await visitor.page.getByRole('row', { name: /Ember Hosting.*Disabled/ }).waitFor();
    expect(await visitor.barriers('resellers')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('shows the bills of each month, in German too', async () => {
    const tenant = await world.createTenant();
    const { id } = await createReseller(world, {
      name: 'Cinder Hosting',
      created_at: new Date(Date.now() - 70 * 86_400_000),
    });
    const sold = await createResellerLicense(world, tenant, {
      reseller_id: id,
      server_id: 'srv-1001',
      hostname: 'rust-1001.example.net',
      customer_email: 'ada@example.com',
    });
    await insertRow(world, 'reseller_bill', {
      reseller_id: id,
      month: monthBefore(),
      unit: 'instance',
      license_count: 1,
      active_days: 30,
      instance_count: 2,
      instance_days: 41,
      charged_days: 43,
      total: 832,
      currency: 'USD',
    });
    await world.database.query(
      `insert into reseller_bill_line (reseller_id, month, reseller_license_id, active_days, instance_count,
         instance_days, charged_days, amount, active) values ($1, $2, $3, 30, 2, 41, 43, 832, $4)`,
      [
        id,
        monthBefore(),
        sold,
        JSON.stringify([
          { from: `${monthBefore()}-01T00:00:00.000Z`, to: `${monthBefore()}-28T00:00:00.000Z` },
        ]),
      ],
    );
    const visitor = await Visitor.open(browser, world, {
      email: adminEmail,
      path: '/platform/resellers/bills',
    });
    await visitor.says('$8.32');
    expect(await visitor.barriers('resellers-bills')).toEqual([]);
    const download = visitor.page.waitForEvent('download');
    await visitor.press('Download CSV');
    expect((await download).suggestedFilename()).toBe('reseller-bills.csv');
    await visitor.follow(/, Cinder Hosting$/);
    await visitor.says('$8.32');
    await visitor.says('final');
    await visitor.press('Month after');
    await visitor.says('so far');
    await visitor.says('rust-1001.example.net');
    expect(await visitor.barriers('resellers-bill')).toEqual([]);
    await visitor.page.getByRole('searchbox').fill('unknown');
    await visitor.see('Nothing matches');
    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    await visitor.go(`/platform/resellers/${id}`);
    await visitor.see('Name und Preis');
    expect(await visitor.barriers('resellers-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('is not there for others', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/platform/resellers' });
    await visitor.says('You may not see this');
    expect(visitor.faults).toEqual([]);
  });
});

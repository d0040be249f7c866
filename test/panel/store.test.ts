// The store in the panel: from a license without one to a paid order that reaches the game server.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createStoreDelivery, createStoreOrder } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { openStore, order, sell, settle, someSteamId } from '../support/store.ts';
import { password, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

const dayMs = 24 * 60 * 60_000;

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the store', () => {
  it('is opened step by step, sells an item, and follows its delivery', async () => {
    const tenant = await world.createTenant({ name: 'Rusty Islands' });
    const server = await SimulatedServer.start(world, tenant);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/webstore' });
    await visitor.see('Open your store');
    expect(await visitor.barriers('store-setup')).toEqual([]);

    await visitor.follow('Subscribe');
    const subscription = visitor.section('Subscription');
    await visitor.press('Subscribe', subscription);
    await visitor.press('Confirm without paying', subscription);
    await subscription.getByText('Active', { exact: true }).waitFor();

    await visitor.fill('Secret key', 'sk_wrong_0000000000', visitor.section('Stripe'));
    await visitor.fill('Signing secret of the webhook', 'whsec_000000000000', visitor.section('Stripe'));
    await visitor.press('Connect Stripe');
    await visitor.section('Stripe').getByText('Does not have the required form.', { exact: true }).waitFor();
    await visitor.fill('Secret key', 'rk_test_000000000000000000000000', visitor.section('Stripe'));
    await visitor.press('Connect Stripe');
    await visitor.stepUp();
    await visitor.says('Connected, test mode');
    expect(await visitor.page.locator('main').innerText()).not.toContain('rk_test_');

    const settings = visitor.section('Store settings');
    await visitor.fill('Name of the store', 'Island shop', settings);
    await settings.getByLabel('Payment provider', { exact: true }).selectOption('Sandbox (no money)');
    await visitor.press('Save', settings);
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    expect(await visitor.barriers('store-settings')).toEqual([]);

    await visitor.follow('Categories');
    await visitor.press('Add a category');
    await visitor.fill('Name', 'Ranks', visitor.dialog);
    expect(await visitor.barriers('store-category')).toEqual([]);
    await visitor.press('Create the category', visitor.dialog);
    await visitor.page.getByRole('button', { name: 'Edit Ranks' }).waitFor();
    expect(await visitor.barriers('store-categories')).toEqual([]);

    await visitor.follow('Items');
    await visitor.see('Nothing to sell yet');
    await visitor.follow('Add an item');
    await visitor.fill('Name', 'VIP');
    await visitor.fill('Price in USD', '4,5');
    await visitor.page.getByLabel('Category', { exact: true }).selectOption('Ranks');
    await visitor.page.getByLabel('Servers', { exact: true }).first().click();
    await visitor.page.getByRole('option', { name: 'main' }).click();
    await visitor.page.keyboard.press('Escape');
    await visitor.fill('Commands that deliver: command 1', 'oxide.usergroup add {player} vip');
    await visitor.says('(not a placeholder)');
    await visitor.press('Create the item');
    await visitor.page
      .getByText(/in braces only/)
      .first()
      .waitFor();
    await visitor.fill('Commands that deliver: command 1', 'inventory.giveto ');
    await visitor.press('{steam_id}', visitor.page.getByRole('group', { name: /deliver: insert/ }));
    await visitor.says(/76561197960287930/);
    expect(await visitor.barriers('store-item')).toEqual([]);
    await visitor.fill('Commands that deliver: command 1', 'inventory.giveto {steam_id} rifle.ak 1');
    await visitor.press('Create the item');
    await visitor.row('VIP').getByText('$4.50').waitFor();

    await visitor.follow('Overview');
    await visitor.press('Open the store');
    await visitor.page.getByRole('link', { name: 'Visit the store' }).waitFor();

    const { body } = await world.call('get', '/api/webstore/items', tenant.owner).expect(200);
    const [item] = (body as { data: { id: string }[] }).data;
    const steamId = someSteamId();
    await visitor.follow('Orders');
    await visitor.see('No orders yet');
    const bought = await order(world, tenant, [{ item_id: item?.id ?? '', quantity: 1 }], {
      steam_id: steamId,
      player_name: 'Aster',
    });
    await visitor.row('Aster').getByText('Waits for payment').waitFor();
    await settle(world, tenant, bought.id);
    await visitor.row('Aster').getByText('Paid', { exact: true }).waitFor();
    await visitor.follow('Aster');
    await visitor.see('Order of Aster');
    const deliveries = visitor.section('Deliveries');
    await deliveries.getByText('Delivered', { exact: true }).waitFor();
    expect(server.given()).toHaveLength(1);
    expect(await visitor.barriers('store-order')).toEqual([]);
    await visitor.press('Send again', deliveries);
    await visitor.says(/the player gets the item twice/);
    expect(await visitor.barriers('store-resend')).toEqual([]);
    await visitor.press('Send again', visitor.dialog);
    await deliveries.getByText('Delivered', { exact: true }).nth(1).waitFor();
    expect(server.given()).toHaveLength(2);
    await visitor.go('/webstore/deliveries');
    await visitor.page.getByRole('cell', { name: 'Aster' }).first().waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('shows what it earned as a chart and a table, and its orders as filtered by the address', async () => {
    const tenant = await world.createTenant();
    await openStore(world, tenant);
    const vip = await sell(world, tenant, { name: 'VIP' });
    await sell(world, tenant, { name: 'Sunset skin', limit_total: 5, is_enabled: false });
    const steamId = someSteamId();
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        createStoreOrder(world, tenant, {
          total_minor: 500 + 250 * (index % 5),
          refunded_minor: index === 3 ? 1250 : 0,
          status: index === 3 ? 'refunded' : index === 20 ? 'disputed' : 'paid',
          provider: 'stripe',
          is_test: false,
          steam_id: index === 0 ? steamId : someSteamId(),
          player_name: `Player ${index}`,
          created_at: new Date(Date.now() - (index % 12) * dayMs),
          paid_at: new Date(Date.now() - (index % 12) * dayMs),
        }),
      ),
    );
    await createStoreDelivery(world, tenant, { status: 'failed', detail: 'The game server refused it.' });
    await order(world, tenant, [{ item_id: vip.id, quantity: 1 }], { player_name: 'Unpaid' });

    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/webstore' });
    await visitor.see('Needs your attention');
    const revenue = visitor.section('Revenue');
    await revenue.getByRole('img', { name: /Revenue over time/ }).waitFor();
    await revenue.locator('.recharts-bar-rectangle').filter({ visible: true }).first().waitFor();
    expect(await visitor.barriers('store-overview')).toEqual([]);
    const sums = async () => (await revenue.locator('dl').innerText()).replaceAll(/\s+/g, ' ');
    const withoutTests = await sums();
    await revenue.getByLabel('Include test orders').check();
    await visitor.says('The figures include test orders, for which no money was charged.');
    expect(await sums()).not.toBe(withoutTests);
    await revenue.getByText('Table', { exact: true }).click();
    await revenue.getByRole('columnheader', { name: 'Day' }).waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?tests=true&view=table');
    expect(await visitor.barriers('store-revenue-table')).toEqual([]);

    await visitor.follow('Orders');
    await visitor.row('Player 0').waitFor();
    expect(await visitor.barriers('store-orders')).toEqual([]);
    await visitor.page.getByLabel('Status').selectOption('Disputed');
    await visitor.row('Player 20').waitFor();
    await visitor.row('Player 0').waitFor({ state: 'detached' });
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Export these as CSV');
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect(csv.trim().split('\n')).toHaveLength(2);
    await visitor.page.getByLabel('Status').selectOption('Any status');
    await visitor.fill('SteamID64 of a player', '7656');
    await visitor.says(/Type all 17 digits/);
    await visitor.fill('SteamID64 of a player', steamId);
    await visitor.row('Player 1').waitFor({ state: 'detached' });
    await visitor.page.reload();
    await visitor.row('Player 0').waitFor();
    expect(await visitor.page.getByRole('row').count()).toBe(2);

    await visitor.follow('Deliveries');
    await visitor.page.getByLabel('Status').selectOption('Failed');
    await visitor.press('VIP');
    await visitor.dialog.getByText('The game server refused it.').waitFor();
    expect(await visitor.barriers('store-delivery')).toEqual([]);
    await visitor.press('Close', visitor.dialog);
    expect(await visitor.barriers('store-deliveries')).toEqual([]);

    await visitor.follow('Items');
    await visitor.row('Sunset skin').getByText('Hidden').waitFor();
    expect(await visitor.barriers('store-items')).toEqual([]);
    await visitor.follow('Sunset skin');
    await visitor.fill('Units in total', '3');
    await visitor.follow('Items');
    await visitor.see('Leave without saving?');
    await visitor.press('Cancel', visitor.dialog);
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    await visitor.press('Delete the item');
    await visitor.fill('Type Sunset skin to confirm', 'Sunset skin', visitor.dialog);
    await visitor.press('Delete the item', visitor.dialog);
    await visitor.row('VIP').waitFor();
    await visitor.row('Sunset skin').waitFor({ state: 'detached' });
    expect(visitor.faults).toEqual([]);
  });

  it('offers nothing to change to who may only look, and is not there for a viewer', async () => {
    const tenant = await world.createTenant();
    await openStore(world, tenant);
    await sell(world, tenant, { name: 'VIP' });
    const looker = await world.addMemberWith(tenant, { 'webstore.view': true, 'license.view': true });
    const visitor = await Visitor.open(browser, world, { email: looker.email, path: '/webstore/items' });
    await visitor.row('VIP').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Add an item' }).count()).toBe(0);
    await visitor.follow('VIP');
    await visitor.see('VIP');
    await visitor.page.getByLabel('Name', { exact: true }).waitFor();
    expect(await visitor.page.getByRole('textbox', { disabled: false }).count()).toBe(0);
    expect(await visitor.page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);
    await visitor.go('/webstore/settings');
    await visitor.section('Store settings').getByText('Rusty Islands').waitFor();
    expect(await visitor.page.locator('main').getByRole('textbox').count()).toBe(0);
    expect(
      await visitor.page
        .locator('main')
        .getByRole('button', { name: /cancel/i })
        .count(),
    ).toBe(0);

    const viewer = await world.addMember(tenant, 'Viewer');
    const other = await Visitor.open(browser, world, { email: viewer.email, path: '/webstore' });
    await other.see('You may not see this');
    expect(await other.page.getByRole('link', { name: 'Store', exact: true }).count()).toBe(0);

    const german = await Visitor.open(browser, world, { locale: 'de', path: '/webstore' });
    await german.fill('E-Mail-Adresse', tenant.owner.email);
    await german.fill('Passwort', password);
    await german.press('Anmelden');
    await german.see('Umsatz');
    expect(await german.barriers('store-german')).toEqual([]);
    expect([...visitor.faults, ...other.faults, ...german.faults]).toEqual([]);
  });
});

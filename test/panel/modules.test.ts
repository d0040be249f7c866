// Modules: bought, installed on a server with progress that outlasts a reload, removed, and paid by the month.
import type { Browser } from 'playwright-core';
import { connectAcceptingAgent } from '../support/agent.ts';
import { openBrowser } from '../support/browser.ts';
import { createModule } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { password, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true });
  await createModule(world, {
    slug: 'loot-manager',
    name: 'Loot manager',
    description: 'Edits what containers hold, and multiplies it.',
    features: ['Loot tables', 'Multipliers'],
    billing_period: 'month',
    yearly_price: 9_990,
    trial_days: 14,
    plugin: 'LootManager',
  });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the modules', () => {
  it('are bought, installed and removed', async () => {
    const tenant = await world.createTenant();
    const { agent } = await connectAcceptingAgent(world, tenant);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/modules' });
    await visitor.see('Player insights');
    expect(await visitor.barriers('modules')).toEqual([]);
    await visitor.press('Buy Player insights');
    expect(await visitor.barriers('modules-buy')).toEqual([]);
    await visitor.press('Buy', visitor.dialog);

    const owned = visitor.section('Player insights');
    await owned.getByText('It is not installed on any server.').waitFor();
    await visitor.press('Install on a server', owned);
    await visitor.press('Install', visitor.dialog);
    await owned.getByText(/Waits for the agent|Downloading/).waitFor();
    await visitor.page.reload();
    await owned.getByText(/Waits for the agent|Downloading/).waitFor();
    const command = await until(async () => agent.commands[0], 'the command');
    await agent.finish(command.id, {
      status: 'failed',
      error_code: 'module_not_fetched',
      detail: 'No route.',
    });
    await owned.getByText('Failed', { exact: true }).waitFor();
    await owned.getByText('No route.').waitFor();
    await visitor.press('Install on a server', owned);
    await visitor.press('Install', visitor.dialog);
    const again = await until(async () => agent.commands[1], 'the second command');
    await agent.finish(again.id, { detail: 'GantryEvents 1.0.0 is loaded.' });
    await owned.getByText('Installed', { exact: true }).waitFor();
    expect(await visitor.barriers('modules-owned')).toEqual([]);

    await visitor.press('Uninstall Player insights from main', owned);
    await visitor.dialog.getByText(/removes the plugin GantryEvents from main/).waitFor();
    await visitor.press('Uninstall', visitor.dialog);
    const removal = await until(async () => agent.commands[2], 'the removal');
    await agent.finish(removal.id);
    await owned.getByText('It is not installed on any server.').waitFor();
    await visitor.follow('Purchases');
    await visitor.says('one-time purchase');
    expect(await visitor.barriers('modules-purchases')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('are subscribed to, cancelled and kept', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/modules' });
    await visitor.fill('E-Mail-Adresse', tenant.owner.email);
    await visitor.fill('Passwort', password);
    await visitor.press('Anmelden');
    await visitor.see('Loot manager');
    expect(await visitor.barriers('modules-german')).toEqual([]);
    await visitor.press('Loot manager abonnieren');
    await visitor.page.getByLabel(/im Jahr/).check();
    await visitor.press('Abonnieren', visitor.dialog);
    await visitor.follow('Abonnements');
    await visitor.says('Kostenlose Probezeit');
    expect(await visitor.barriers('modules-subscriptions')).toEqual([]);
    await visitor.press('Abonnement von Loot manager verwalten');
    await visitor.press('Abonnement kündigen', visitor.dialog);
    await visitor.press('Abonnement kündigen', visitor.dialog.last());
    await visitor.press('Abonnement behalten', visitor.dialog);
    await visitor.dialog.getByRole('button', { name: 'Abonnement kündigen' }).waitFor();
    expect(await visitor.barriers('modules-subscription')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('offer a viewer nothing to buy', async () => {
    const tenant = await world.createTenant();
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path: '/modules' });
    await visitor.see('Player insights');
    expect(await visitor.page.getByRole('button', { name: /^(Buy|Subscribe)/ }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

describe("what's new", () => {
  it('shows the release notes, and marks those that are new to the user', async () => {
    const { owner } = await world.createTenant();
    const publish = (title: string, text: string, at: number) =>
      world
        .call('post', '/api/admin/release-notes', world.admin)
        .send({ title, text, published_at: new Date(at).toISOString() })
        .expect(201);
    await publish(
      'Schedules',
      'Restart **on a schedule**:\n\n- in any time zone\n- with `cron`',
      Date.now() - 86_400_000,
    );
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/account' });
    await visitor.page.getByRole('button', { name: /Account menu/ }).click();
    await visitor.page.getByRole('menuitem', { name: "What's new New" }).click();
    await visitor.see('Schedules');
    await visitor.page
      .getByRole('article', { name: 'Schedules' })
      .getByText('New', { exact: true })
      .waitFor();
    expect(await visitor.barriers('whats-new')).toEqual([]);
    await publish('Maps', 'Deploy <script>your</script> own maps.', Date.now() - 1_000);
    await visitor.page.reload();
    const maps = visitor.page.getByRole('article', { name: 'Maps' });
    await maps.getByText('New', { exact: true }).waitFor();
    await maps.getByText('<script>your</script>').waitFor();
    expect(
      await visitor.page
        .getByRole('article', { name: 'Schedules' })
        .getByText('New', { exact: true })
        .count(),
    ).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

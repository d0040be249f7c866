// Webhooks in the panel: created, tested, repaired and deleted; and the event log, live.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { Receiver, respondWith } from '../support/receiver.ts';
import { createDelivery, createWebhook } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({
    servesPanel: true,
    jobIntervals: {
      chores: { 'relay events': 20, 'replay webhooks': 20, 'begin turns of webhooks': 20 },
    },
  });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

async function receiver(): Promise<Receiver> {
  const started = await Receiver.start(respondWith(204));
  world.atEnd(() => started.close());
  return started;
}

/** An event of the license. */
const occur = ({ owner }: Tenant, name: string) =>
  world.call('post', '/api/fleet/clusters', owner).send({ name }).expect(201);

describe('the webhooks of the panel', () => {
  it('are added, deliver, fail, and are repaired and deleted', async () => {
    const hook = await receiver();
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/webhooks' });
    await visitor.see('No webhooks yet');
    expect(await visitor.barriers('webhooks-empty')).toEqual([]);
    await visitor.follow('Add a webhook');
    await visitor.fill('URL', 'https://10.0.0.1/');
    await visitor.fill('Name', 'Pager');
    await visitor.page.getByRole('checkbox', { name: 'Orders' }).check();
    await visitor.fill('Search event types', 'cluster');
    await visitor.page.getByRole('checkbox', { name: 'A cluster was created' }).check();
    expect(await visitor.barriers('new-webhook')).toEqual([]);
    await visitor.press('Add the webhook');
    await visitor.stepUp();
    await visitor.page
      .getByLabel('URL', { exact: true })
      .and(visitor.page.locator('[aria-invalid=true]'))
      .waitFor();
    await visitor.fill('URL', hook.url);
    await visitor.press('Add the webhook');
    await visitor.see('Pager');
    await visitor.says(/^whsec_/);
    expect(await visitor.barriers('webhook-secret')).toEqual([]);
    await visitor.press('I have stored it');
    await visitor.page.getByText(/^whsec_/).waitFor({ state: 'detached' });

    await visitor.press('Send a test');
    await visitor.row('Test').getByText('Delivered').waitFor();
    await occur(tenant, 'Northern islands');
    await visitor.row('cluster.created').getByText('Delivered').waitFor();
    expect(hook.received.map(({ body }) => body.type).sort()).toEqual(['cluster.created', 'test']);
    expect(await visitor.barriers('webhook')).toEqual([]);
    await visitor.page.getByLabel('Event').selectOption('test');
    await visitor.row('cluster.created').waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?event=test');
    await visitor.page.getByLabel('Event').selectOption('');

    await visitor.follow('cluster.created');
    await visitor.section('Body that is sent').getByText('"Northern islands"').waitFor();
    await visitor.section('Attempts').getByText('Accepted (204)').waitFor();
    expect(await visitor.barriers('webhook-delivery')).toEqual([]);
    hook.respond = respondWith(404);
    await visitor.press('Send it again');
    await visitor.section('Attempts').getByText('Refused by the receiver (404)').waitFor();
    await visitor.section('Response that refused it').getByText('status 404').waitFor();
    hook.respond = respondWith(204);
    // A replay leaves out what still waits for its next attempt.
    await visitor.press('Send it again');
    await visitor.section('Attempts').getByText('Accepted (204)').nth(1).waitFor();
    await visitor.follow('Pager');
    await visitor.see('Pager');

    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Replay events' }).click();
    expect(await visitor.barriers('webhook-replay')).toEqual([]);
    const before = hook.received.length;
    await visitor.press('Replay', visitor.dialog);
    await visitor.says(/^The last replay queued 1 deliveries/);
    await hook.next(before);
    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Resend failed deliveries' }).click();
    await visitor.press('Resend', visitor.dialog);
    await visitor.says(/^The last replay queued 0 deliveries/);

    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
    expect(await visitor.barriers('webhook-rotate')).toEqual([]);
    await visitor.press('Rotate the secret', visitor.dialog);
    await visitor.says(/The former secret signs too until/);
    await visitor.press('I have stored it');
    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Disable' }).click();
    await visitor.press('Disable', visitor.dialog);
    await visitor.says('This webhook is disabled');
    await occur(tenant, 'Southern islands');
    await visitor.press('Enable');
    expect(await visitor.barriers('webhook-enable')).toEqual([]);
    await visitor.press('Enable', visitor.dialog);
    await visitor.page.getByRole('row').filter({ hasText: 'cluster.created' }).nth(1).waitFor();

    await visitor.follow('Settings');
    await visitor.fill('Name', 'On-call');
    await visitor.page.getByRole('checkbox', { name: 'Players', exact: true }).check();
    expect(await visitor.barriers('webhook-settings')).toEqual([]);
    await visitor.press('Save');
    await visitor.see('On-call');
    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Delete the webhook' }).click();
    await visitor.fill('Type On-call to confirm', 'On-call', visitor.dialog);
    await visitor.press('Delete the webhook', visitor.dialog);
    await visitor.see('No webhooks yet');
    expect(visitor.faults).toEqual([]);
  });

  it('show that the platform stopped them, and a reader what they may see', async () => {
    const tenant = await world.createTenant();
    const webhookId = await createWebhook(world, tenant, {
      name: 'Pager',
      is_enabled: false,
      disabled_at: new Date(),
      disabled_reason: 'The receiver responded with status 500 for 28 hours.',
    });
    await createDelivery(world, tenant, { webhook_id: webhookId });
    const reader = await world.addMemberWith(tenant, { 'webhooks.view': true, 'license.view': true });
    const visitor = await Visitor.open(browser, world, { email: reader.email, path: '/webhooks' });
    await visitor.row('Pager').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Add a webhook' }).count()).toBe(0);
    expect(await visitor.barriers('webhooks')).toEqual([]);
    await visitor.follow('Pager');
    await visitor.row('host.offline').getByText('Failed').waitFor();
    expect(await visitor.page.locator('main').getByRole('button').count()).toBe(0);
    await visitor.follow('Settings');
    await visitor.section('Settings').getByText('Orders').waitFor();
    expect(await visitor.page.getByRole('textbox').count()).toBe(0);
    expect(await visitor.page.getByRole('link', { name: 'Events' }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });

  it('speak German', async () => {
    const tenant = await world.createTenant();
    await createWebhook(world, tenant, { name: 'Bereitschaft', events: ['order.*', 'instance.crashed'] });
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/webhooks/new' });
    await visitor.page.getByLabel('E-Mail-Adresse').fill(tenant.owner.email);
    await visitor.page.getByLabel('Passwort', { exact: true }).fill('correct-horse-battery');
    await visitor.press('Anmelden');
    await visitor.page.getByRole('checkbox', { name: 'Bestellungen' }).waitFor();
    await visitor.press(/Bestellungen$/);
    expect(await visitor.barriers('new-webhook-german')).toEqual([]);
    await visitor.follow('Ereignisse');
    await visitor.says('wurde angelegt.');
    expect(await visitor.barriers('events-german')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

describe('the events of the panel', () => {
  it('appear as they happen, are filtered, and are shown with their payload', async () => {
    const tenant = await world.createTenant();
    await occur(tenant, 'Northern islands');
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/events' });
    await visitor.row('Cluster Northern islands was created.').waitFor();
    await occur(tenant, 'Southern islands');
    await visitor.row('Cluster Southern islands was created.').waitFor();
    expect(await visitor.page.getByRole('row').nth(1).innerText()).toContain('Southern islands');
    expect(await visitor.barriers('events')).toEqual([]);
    await visitor.page.getByLabel('Type').selectOption('license.*');
    await visitor.row('Cluster Southern islands was created.').waitFor({ state: 'detached' });
    await visitor.page.getByRole('link', { name: /^License .* was created\.$/ }).waitFor();
    await occur(tenant, 'Western islands');
    await visitor.page.getByLabel('Type').selectOption('cluster.created');
    await visitor.follow('Cluster Western islands was created.');
    await visitor.section('Payload').getByText('"Western islands"').waitFor();
    expect(await visitor.barriers('event')).toEqual([]);
    await visitor.follow('All events of this object');
    await visitor.row('Cluster Western islands was created.').waitFor();
    await visitor.row('Cluster Northern islands was created.').waitFor({ state: 'detached' });
    const clusterId = new URL(visitor.page.url()).searchParams.get('object') ?? '';
    await world.call('delete', `/api/fleet/clusters/${clusterId}`, tenant.owner).expect(204);
    await visitor.row('Cluster Western islands was deleted.').waitFor();
    await visitor.fill('ID of an object, or a SteamID', 'elsewhere');
    await visitor.see('No event matches');
    await visitor.press('Clear the filters');
    await visitor.row('Cluster Northern islands was created.').waitFor();
    expect(visitor.faults).toEqual([]);
  });
});

// Alerts in the panel: raised, acknowledged and ended; their rules; and the channels that they are sent to.
import type { Browser } from 'playwright-core';
import { runAlertRound } from '../support/alerts.ts';
import { openBrowser } from '../support/browser.ts';
import { Receiver, respondWith } from '../support/receiver.ts';
import { createAlert, createChannel, createHost } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({
    servesPanel: true,
    jobIntervals: { chores: { 'evaluate alerts': 50, 'begin turns of notifications': 50 }, pollMs: 200 },
  });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

/** Fills the disk of a new host, and waits for the alert. */
async function raise(tenant: Tenant, hostname: string): Promise<void> {
  const hostId = await createHost(world, tenant, {
    hostname,
    status: 'online',
    agent_version: '999.0.0',
    last_heartbeat_at: new Date(Date.now() + 3_600_000),
    disk_used_bytes: 96,
    disk_total_bytes: 100,
  });
  await until(async () => {
    await runAlertRound(world, tenant.license.id);
    return (await world.database.query('select from alert where subject_id = $1', [hostId])).length;
  }, 'an alert');
}

describe('the alerts of the panel', () => {
  it('appear by themselves, are acknowledged, and end with their rule', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/alerts' });
    await visitor.see('All quiet');
    await visitor.says('Alerts are sent to no one');
    expect(await visitor.barriers('alerts-empty')).toEqual([]);
    await raise(tenant, 'rust-07');
    await createAlert(world, tenant, {
      kind: 'population_drop',
      severity: 'Warning',
      subject_name: 'EU main',
      metadata: {
        players_before: 80,
        players_now: 20,
        drop_percent: 75,
        threshold_percent: 50,
        window_minutes: 30,
      },
      end_reason: 'settled',
    });
    await visitor.row('The disk of rust-07 is nearly full').waitFor();
    await visitor.page.reload();
    const row = visitor.row('The disk of rust-07 is nearly full');
    await row.getByText('96% of the disk is used; the limit is 90%.').waitFor();
    expect(await visitor.barriers('alerts')).toEqual([]);
    await visitor.press(/^Acknowledge: The disk/, row);
    await row.getByText(tenant.owner.email).waitFor();
    await visitor.page.getByLabel('Acknowledgement').selectOption('Not acknowledged');
    await row.waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?acknowledged=no');
    await visitor.page.getByLabel('Kind').selectOption('Server crash');
    await visitor.see('No alert matches');
    await visitor.press('Clear the filters');

    await visitor.follow('The disk of rust-07 is nearly full');
    await visitor.section('History').getByText('Acknowledged').waitFor();
    expect(await visitor.barriers('alert')).toEqual([]);
    await visitor.press('Revoke the acknowledgement');
    await visitor.section('About').getByText('not yet').waitFor();

    await visitor.follow('Change the rule');
    await visitor.fill('Full disk: Percent', '200');
    expect(await visitor.barriers('alert-rules')).toEqual([]);
    await visitor.press('Save');
    await visitor.says(/^Percent: .*100/);
    await visitor.page.getByRole('switch', { name: 'Full disk' }).uncheck({ force: true });
    await visitor.says('Saving ends the open alerts of this kind, without a notification.');
    await visitor.press('Discard changes');
    await visitor.page.getByRole('switch', { name: 'Full disk' }).uncheck({ force: true });
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    await runAlertRound(world, tenant.license.id);
    await visitor.page.getByRole('navigation', { name: 'Parts of the alerts' }).getByText('Alerts').click();
    await row.waitFor({ state: 'detached' });
    await visitor.page.getByText('Ended', { exact: true }).click();
    await row.getByText('Rule disabled').waitFor();
    await visitor
      .row('Players are leaving EU main')
      .getByText('Players fell by 75% within 30 minutes, from 80 to 20.')
      .waitFor();
    expect(await visitor.barriers('alerts-ended')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('have rules that two people can edit without losing a change', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/alerts/rules' });
    await visitor.fill('Low frame rate: Frames per second', '20');
    await world
      .call('patch', '/api/alerts/config', tenant.owner)
      .send({ rules: { low_fps: { fps: 30 } } })
      .expect(200);
    await visitor.says('Someone else has saved in the meantime');
    expect(await visitor.barriers('alert-rules-conflict')).toEqual([]);
    await visitor.press('Keep mine');
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await world.call('get', '/api/alerts/config', tenant.owner).expect(200);
    expect(body.rules.low_fps.fps).toBe(20);
    await visitor.fill('Low frame rate: Frames per second', '25');
    await visitor.follow('Servers');
    await visitor.press('Leave the page', visitor.dialog);
    await visitor.see('Servers');
    expect(visitor.faults).toEqual([]);
  });

  it('are sent to channels, which are added, tested, changed and deleted', async () => {
    const receiver = await Receiver.start(respondWith(204));
    world.atEnd(() => receiver.close());
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: '/alerts/channels',
    });
    await visitor.see('No notifications yet');
    await visitor.follow('Add a channel');
    await visitor.page.getByRole('radio', { name: 'E-mail' }).check();
    expect(await visitor.page.getByLabel('Address').inputValue()).toBe(tenant.owner.email);
    await visitor.fill('Address', 'elsewhere@example.com');
    await visitor.fill('Name', 'Admins');
    await visitor.press('Add the channel');
    await visitor.stepUp();
    await visitor.says('is not the address of a team member');
    expect(await visitor.barriers('new-channel')).toEqual([]);
    await visitor.page.getByRole('radio', { name: 'Discord' }).check();
    await visitor.fill('Webhook URL', receiver.url);
    await visitor.press('Add the channel');
    await visitor.see('Admins');
    await visitor.says('Not used yet');
    await visitor.press('Send a test');
    await visitor.page.getByRole('row').getByText('Sent', { exact: true }).waitFor();
    expect((await receiver.next()).text).toContain('test');
    await visitor.says('Working');
    expect(await visitor.barriers('channel')).toEqual([]);

    receiver.respond = respondWith(404);
    await raise(tenant, 'rust-08');
    await visitor.says('The last attempt failed');
    await visitor.row('Alert').getByText('Failed').waitFor();
    await visitor.page.getByLabel('Status').selectOption('Failed');
    expect(await visitor.barriers('channel-failing')).toEqual([]);
    await visitor.fill('Name', 'On-call');
    await visitor.page.getByRole('switch', { name: 'Write your own text' }).check({ force: true });
    await visitor.fill('Text of the message', '{{nothing}}');
    await visitor.press('Save');
    await visitor.says(/nothing/);
    await visitor.fill('Text of the message', '{{severity}} on {{subject}}');
    await visitor.press('Save');
    await visitor.see('On-call');
    await visitor.press('Disable');
    await visitor.press('Disable', visitor.dialog);
    await visitor.says('This channel is disabled');
    await visitor.press('Delete the channel');
    await visitor.fill('Type On-call to confirm', 'On-call', visitor.dialog);
    await visitor.press('Delete the channel', visitor.dialog);
    await visitor.see('No notifications yet');
    expect(visitor.faults).toEqual([]);
  });

  it('offer a viewer nothing that the platform refuses', async () => {
    const tenant = await world.createTenant();
    await raise(tenant, 'rust-09');
    await createChannel(world, tenant);
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path: '/alerts' });
    await visitor.follow('The disk of rust-09 is nearly full');
    await visitor.section('History').getByText('Raised').waitFor();
    expect(await visitor.page.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0);
    await visitor.go('/alerts/rules');
    await visitor.says('Your role may see the rules, but not change them.');
    expect(await visitor.page.getByRole('spinbutton').count()).toBe(0);
    expect(await visitor.page.getByRole('link', { name: 'Channels' }).count()).toBe(0);
    await visitor.go('/alerts/channels');
    await visitor.see('You may not see this');
    expect(visitor.faults).toEqual([]);
  });

  it('speak German', async () => {
    const tenant = await world.createTenant();
    await raise(tenant, 'rust-10');
    await createChannel(world, tenant, { name: 'Bereitschaft' });
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/alerts' });
    await visitor.page.getByLabel('E-Mail-Adresse').fill(tenant.owner.email);
    await visitor.page.getByLabel('Passwort', { exact: true }).fill('correct-horse-battery');
    await visitor.press('Anmelden');
    await visitor.row('Die Platte von rust-10 ist fast voll').waitFor();
    expect(await visitor.barriers('alerts-german')).toEqual([]);
    await visitor.follow('Regeln');
    await visitor.says('Von der Platte eines verbundenen Hosts sind');
    expect(await visitor.barriers('alert-rules-german')).toEqual([]);
    await visitor.follow('Kanäle');
    await visitor.row('Bereitschaft').waitFor();
    expect(await visitor.barriers('channels-german')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

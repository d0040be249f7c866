// API keys: created, shown once, used, and revoked.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { password, World } from '../support/world.ts';
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

describe('the API keys', () => {
  it('are created with a secret that is shown once', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/api-keys' });
    await visitor.see('No API keys yet');
    expect(await visitor.barriers('no-api-keys')).toEqual([]);
    await visitor.follow('Create a key');
    await visitor.says('Choose at least one permission.');
    await visitor.fill('Name', 'Deploy bot');
    await visitor.fill('Allowed addresses', '127.0.0.0/8\nnowhere');
    await visitor.page.getByLabel('Servers and hosts: View').check();
    expect(await visitor.page.getByLabel('API keys: Manage').isDisabled()).toBe(true);
    await visitor.press('Create a key');
    await visitor.stepUp();
    await visitor.says('nowhere must be an IP address or a network as CIDR');
    await visitor.page.locator('textarea:focus').waitFor();
    expect(await visitor.barriers('new-api-key')).toEqual([]);
    const tooMany = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`);
    await visitor.fill('Allowed addresses', tooMany.join('\n'));
    await visitor.press('Create a key');
    await visitor.says(/50/);
    await visitor.fill('Allowed addresses', '127.0.0.0/8\n::1');
    await visitor.press('Create a key');
    await visitor.see('The key Deploy bot was created');
    expect(await visitor.barriers('api-key-secret')).toEqual([]);
    const key = (await visitor.page.getByRole('group', { name: 'API key', exact: true }).innerText()).split(
      /\s/,
    )[0];
    const fleet = () => world.call('get', '/api/fleet/instances').set('X-Api-Key', key ?? '');
    await fleet().expect(200);
    await visitor.follow('License');
    await visitor.see('Leave without the key?');
    await visitor.press('Cancel', visitor.dialog);
    await visitor.press('I have stored the key');
    await visitor.see('Deploy bot');
    await visitor.says('127.0.0.0/8, ::1/128');
    expect(await visitor.page.getByText(key ?? '').count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });

  it('show what they still call, and are revoked by name', async () => {
    const tenant = await world.createTenant();
    const { body } = await world
      .call('post', '/api/api-keys', tenant.owner)
      .send({ name: 'Deploy bot', permissions: { 'fleet.view': true } })
      .expect(201);
    const { id, key } = body as { id: string; key: string };
    const fleet = () => world.call('get', '/api/fleet/instances').set('X-Api-Key', key);
    await fleet().expect(200);
    await world.database.query(
      `insert into api_key_deprecated_use (license_id, api_key_id, operation, count, last_used_at)
       select license_id, id, 'listClusters', 12, now() from api_key where license_id = $1`,
      [tenant.license.id],
    );
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/api-keys/${id}`,
    });
    await visitor.section('Deprecated operations').getByText('listClusters').waitFor();
    expect(await visitor.barriers('api-key')).toEqual([]);
    await visitor.follow('API keys', visitor.page.getByRole('main'));
    await visitor.row('Deploy bot').getByText('Active').waitFor();
    expect(await visitor.barriers('api-keys')).toEqual([]);

    await visitor.follow('Deploy bot');
    await visitor.press('Revoke the key');
    await visitor.dialog.getByText('What stops: fleet.view').waitFor();
    expect(await visitor.barriers('revoke-api-key')).toEqual([]);
    await visitor.fill('Type Deploy bot to confirm', 'Deploy bot', visitor.dialog);
    await visitor.press('Revoke the key', visitor.dialog);
    await visitor.page.getByRole('main').getByText('Revoked', { exact: true }).first().waitFor();
    await fleet().expect(401);
    expect(await visitor.page.getByRole('button', { name: 'Revoke the key' }).count()).toBe(0);
    await visitor.follow('API keys', visitor.page.getByRole('main'));
    await visitor.see('No key matches');
    await visitor.page.getByLabel('Status').selectOption('revoked');
    await visitor.row('Deploy bot').waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?status=revoked');
    expect(visitor.faults).toEqual([]);
  });

  it('are shown to those who may only read them, without anything to press', async () => {
    const tenant = await world.createTenant();
    await world
      .call('post', '/api/api-keys', tenant.owner)
      .send({ name: 'Statistik-Bot', permissions: { 'analytics.view': true } })
      .expect(201);
    const reader = await world.addMemberWith(tenant, { 'apikeys.view': true });
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/api-keys' });
    await visitor.fill('E-Mail-Adresse', reader.email);
    await visitor.fill('Passwort', password);
    await visitor.press('Anmelden');
    await visitor.row('Statistik-Bot').getByText('Aktiv').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Schlüssel anlegen' }).count()).toBe(0);
    expect(await visitor.barriers('api-keys-german')).toEqual([]);
    await visitor.follow('Statistik-Bot');
    await visitor.see('Über den Schlüssel');
    expect(await visitor.page.getByRole('button', { name: 'Schlüssel widerrufen' }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

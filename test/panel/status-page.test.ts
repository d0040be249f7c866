// What a license shows on the public status page: settings with a preview, and the listing of each server.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createInstance } from '../support/rows.ts';
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

describe('the status page', () => {
  it('is previewed, published, and lists the servers as each is set', async () => {
    const tenant = await world.createTenant({ name: 'Rusty Islands' });
    await createInstance(world, tenant, { name: 'main' });
    await createInstance(world, tenant, { name: 'testing' });
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/status-page' });
    const preview = visitor.section('Preview');
    await preview.getByText('Visitors see nothing of this license.').waitFor();
    await visitor.page.getByLabel('Show this license on the public status page').check();
    await visitor.page.getByLabel('List servers unless they say otherwise').check();
    await visitor.fill('Description', 'Vanilla and modded islands.', visitor.section('What visitors see'));
    await preview.getByText('Vanilla and modded islands.').first().waitFor();
    await preview.getByText('testing').waitFor();
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();

    await visitor.press('Edit the listing of testing');
    await visitor.page.getByLabel('On the status page').selectOption('Hidden');
    await visitor.fill('Usual wipe times', 'on thursdays', visitor.dialog);
    await visitor.press('Save', visitor.dialog);
    await visitor.dialog
      .getByText(/required form|cron/i)
      .first()
      .waitFor();
    await visitor.fill('Usual wipe times', '', visitor.dialog);
    await visitor.press('Save', visitor.dialog);
    await preview.getByText('testing').waitFor({ state: 'detached' });
    await visitor.press('Edit the listing of main');
    await visitor.fill('Public name', 'Rusty Islands, 2x', visitor.dialog);
    await visitor.fill('Usual wipe times', '0 19 * * THU', visitor.dialog);
    expect(await visitor.barriers('status-page-listing')).toEqual([]);
    await visitor.press('Save', visitor.dialog);
    await preview.getByText('Rusty Islands, 2x').waitFor();
    expect(await visitor.barriers('status-page')).toEqual([]);

    const shown = await world.call('get', `/api/site-config/instances?limit=10`, tenant.owner).expect(200);
    const { data } = shown.body as { data: { instance_name: string; is_shown: boolean }[] };
    expect(data.map(({ instance_name, is_shown }) => [instance_name, is_shown])).toEqual([
      ['main', true],
      ['testing', false],
    ]);
    // A change by another user appears, and what is being edited is not lost.
    await visitor.fill('Description', 'Mine', visitor.section('What visitors see'));
    await world
      .call('patch', '/api/site-config', tenant.owner)
      .send({ status_page_description: 'Theirs' })
      .expect(200);
    await visitor.says('Someone else has saved in the meantime');
    await visitor.press('Take theirs');
    await preview.getByText('Theirs').first().waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('shows a viewer what is public, and nothing to change', async () => {
    const tenant = await world.createTenant();
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/status-page' });
    await visitor.fill('E-Mail-Adresse', viewer.email);
    await visitor.fill('Passwort', password);
    await visitor.press('Anmelden');
    await visitor.says('Besucher sehen von dieser Lizenz nichts.');
    expect(await visitor.page.getByRole('textbox', { disabled: false }).count()).toBe(0);
    expect(await visitor.page.getByRole('button', { name: 'Speichern' }).count()).toBe(0);
    expect(await visitor.barriers('status-page-german')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

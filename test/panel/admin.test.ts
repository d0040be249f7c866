// The platform's administration in the panel: figures, licenses revoked, users changed, dead jobs retried.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createDeadJob, insertRow } from '../support/rows.ts';
import { adminEmail, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  // Without workers, so that the dead job stays as it is.
  world = await World.create({ servesPanel: true, roles: ['api'] });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the administration of the platform', () => {
  it('revokes a license, disables a user after a step-up, and deletes a dead job', async () => {
    const { license, owner } = await world.createTenant({ name: 'Rusty Islands' });
    await createDeadJob(world, { host_id: 'one' });
    const visitor = await Visitor.open(browser, world, { email: adminEmail, path: '/platform' });
    await visitor.see('Platform');
    await visitor.says('Active licenses');
    await visitor.says('Something needs attention');
    expect(await visitor.barriers('platform')).toEqual([]);
    await visitor.follow('See the jobs');
    await visitor.see('Background jobs');
    await visitor.says('it failed');
    expect(await visitor.barriers('platform-jobs')).toEqual([]);
    await visitor.press(/^Delete job/);
    await visitor.fill('Type relay-commands to confirm', 'relay-commands', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.dialog.nth(1).waitFor();
    await visitor.stepUp();
    await visitor.see('No job has given up');

    await visitor.go('/platform/licenses?q=Rusty');
    await visitor.press('Revoke Rusty Islands');
    expect(await visitor.barriers('platform-revoke')).toEqual([]);
    await visitor.press('Revoke', visitor.dialog);
    await visitor.page.getByRole('button', { name: 'Activate Rusty Islands' }).waitFor();
    const { body } = await world
      .call('get', `/api/admin/licenses/${license.id}`, await world.signInConfirmed(adminEmail))
      .expect(200);
    expect(body.status).toBe('revoked');
    expect(await visitor.barriers('platform-licenses')).toEqual([]);

    await visitor.go('/platform/users');
    await visitor.press(`Disable: ${owner.email}`);
    await visitor.press('Disable', visitor.dialog);
    await visitor.page.getByRole('button', { name: `Enable: ${owner.email}` }).waitFor();
    await visitor.press(`Remove super admin: ${adminEmail}`);
    await visitor.press('Remove super admin', visitor.dialog);
    await visitor.dialog.getByRole('alert').waitFor();
    await visitor.press('Cancel', visitor.dialog);
    expect(await visitor.barriers('platform-users')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('lists hosts, subscriptions and signups of all licenses, in German too', async () => {
    const visitor = await Visitor.open(browser, world, { email: adminEmail, path: '/platform/hosts' });
    await visitor.see('Hosts of all licenses');
    await visitor.see('No hosts yet');
    expect(await visitor.barriers('platform-hosts')).toEqual([]);
    await visitor.go('/platform/subscriptions');
    await visitor.see('No subscriptions yet');
    expect(await visitor.barriers('platform-subscriptions')).toEqual([]);
    await insertRow(world, 'early_access_signup', { email: 'admin@elsewhere.example', server_count: 4 });
    await visitor.go('/platform/early-access');
    await visitor.says('admin@elsewhere.example');
    expect(await visitor.barriers('platform-early-access')).toEqual([]);
    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    await visitor.go('/platform');
    await visitor.says('Aktive Lizenzen');
    expect(await visitor.barriers('platform-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('is not there for others', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/platform/licenses' });
    await visitor.says('You may not see this');
    expect(await visitor.page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

// The team: its members, invitations and roles, and who may do what.
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

const rowOf = (visitor: Visitor, text: string) => visitor.page.getByRole('row').filter({ hasText: text });

describe('the team', () => {
  it('invites, changes a role, and removes a member whose key is named', async () => {
    const tenant = await world.createTenant({ name: 'Northern servers' });
    const member = await world.addMember(tenant, 'Head Admin');
    await world
      .call('post', '/api/api-keys', member)
      .send({ name: 'Deploy bot', permissions: { 'fleet.view': true } })
      .expect(201);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/team' });
    await visitor.see('Team');
    await visitor.says('No invitation is open.');
    await visitor.says(/You are the last Owner/);

    await visitor.press('Invite someone');
    await visitor.fill('E-mail address', member.email, visitor.dialog);
    expect(await visitor.barriers('invite-dialog')).toEqual([]);
    await visitor.press('Send the invitation', visitor.dialog);
    await visitor.dialog.nth(1).waitFor();
    await visitor.fill('Password', password, visitor.dialog.last());
    await visitor.press('Confirm', visitor.dialog.last());
    await visitor.dialog.getByText(/already.*member/i).waitFor();
    await visitor.fill('E-mail address', 'watch@example.com', visitor.dialog);
    await visitor.dialog.getByLabel('Role').selectOption('Moderator');
    await visitor.press('Send the invitation', visitor.dialog);
    await visitor.says('watch@example.com is invited.');
    await rowOf(visitor, 'watch@example.com').getByText('Moderator').waitFor();
    expect((await world.mailTo('watch@example.com')).text).toContain('Northern servers');
    expect(await visitor.barriers('team')).toEqual([]);

    await visitor.press('Revoke the invitation of watch@example.com');
    await visitor.press('Revoke', visitor.dialog);
    await visitor.says('No invitation is open.');

    await visitor.press(`Actions for ${member.email}`);
    await visitor.page.getByRole('menuitem', { name: 'Change the role' }).click();
    await visitor.dialog.getByLabel('New role').selectOption('Viewer');
    await visitor.dialog.getByText(/Loses: .*Webhooks: Manage/).waitFor();
    expect(await visitor.barriers('change-role')).toEqual([]);
    await visitor.press('Change the role', visitor.dialog);
    await rowOf(visitor, member.email).getByRole('link', { name: 'Viewer' }).waitFor();

    await visitor.press(`Actions for ${member.email}`);
    await visitor.page.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await visitor.dialog.getByText(/1 API key .*Deploy bot/).waitFor();
    expect(await visitor.barriers('remove-member')).toEqual([]);
    await visitor.fill(`Type ${member.email} to confirm`, member.email, visitor.dialog);
    await visitor.press('Remove from the team', visitor.dialog);
    await rowOf(visitor, member.email).waitFor({ state: 'detached' });
    expect(visitor.faults).toEqual([]);
  });

  it('creates, changes, duplicates and deletes roles, and explains who may do what', async () => {
    const tenant = await world.createTenant();
    const member = await world.addMember(tenant, 'Moderator');
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/team/roles' });
    await visitor.row('Head Admin').getByText('Built-in').waitFor();
    expect(await visitor.barriers('roles')).toEqual([]);

    await visitor.follow('Create a role');
    await visitor.fill('Name', 'Owner');
    await visitor.page.getByLabel('Players: View').check();
    await visitor.page.getByLabel('All of Console, including later additions').check();
    await visitor.press('Create a role');
    await visitor.says(/named Owner/);
    expect(await visitor.barriers('new-role')).toEqual([]);
    await visitor.follow('Roles');
    await visitor.see('Leave without saving?');
    await visitor.press('Cancel', visitor.dialog);
    await visitor.fill('Name', 'Night watch');
    await visitor.press('Create a role');
    await visitor.see('Night watch');
    await visitor.says('No member has this role.');
    expect(await visitor.page.getByLabel('Console: Type commands').isChecked()).toBe(true);

    await visitor.fill('Find a permission', 'wipe');
    await visitor.page.getByLabel('Wipes: Start and cancel').check();
    await visitor.says('Adds: wipes.trigger');
    await visitor.press('Save');
    await visitor.stepUp();
    await visitor.says(/^Saved$/);
    expect(await visitor.barriers('role')).toEqual([]);

    const { body: roles } = await world.call('get', '/api/roles?limit=100', tenant.owner).expect(200);
    const { data: members } = (await world.call('get', '/api/team/members', tenant.owner).expect(200))
      .body as {
      data: { id: string; user_id: string; email: string }[];
    };
    const nightWatch = (roles as { data: { id: string; name: string }[] }).data.find(
      ({ name }) => name === 'Night watch',
    );
    const person = members.find(({ email }) => email === member.email);
    await world
      .call('patch', `/api/team/members/${person?.id}`, tenant.owner)
      .send({ role_id: nightWatch?.id })
      .expect(200);
    // The event of the change brings the member, without a reload.
    await visitor.section('Members with this role').getByText(member.email).waitFor();
    await visitor.press('Delete the role');
    await visitor.dialog.getByText(`1 member: ${member.email}`).waitFor();
    expect(await visitor.barriers('role-in-use')).toEqual([]);
    await visitor.press('Close', visitor.dialog);

    await visitor.press('Duplicate');
    await visitor.fill('Name of the copy', 'Day watch', visitor.dialog);
    await visitor.press('Duplicate', visitor.dialog);
    await visitor.see('Day watch');
    await visitor.press('Delete the role');
    await visitor.fill('Type Day watch to confirm', 'Day watch', visitor.dialog);
    await visitor.press('Delete the role', visitor.dialog);
    await visitor.row('Night watch').waitFor();
    expect(await visitor.row('Day watch').count()).toBe(0);
    await visitor.follow('Owner');
    await visitor.says(/Built-in roles stay as they are/);
    expect(await visitor.barriers('system-role')).toEqual([]);

    await visitor.go('/team/access');
    await visitor.page.getByLabel('Permission', { exact: true }).selectOption('console.input');
    await rowOf(visitor, member.email)
      .getByText(/Night watch includes console\.\*/)
      .waitFor();
    expect(await visitor.barriers('access-holders')).toEqual([]);
    await visitor.page.getByLabel('Member', { exact: true }).selectOption(member.email);
    await visitor.says(`Yes: ${member.email} may do this.`);
    await visitor.page.getByLabel('Permission', { exact: true }).selectOption('license.export');
    await visitor.says(`No: ${member.email} may not do this.`);
    await visitor.fill('Operation', 'startTheServer');
    await visitor.press('Check');
    await visitor.section('Your access to an API operation').getByText('No such operation.').waitFor();
    await visitor.fill('Operation', 'startInstance');
    await visitor.press('Check');
    await visitor.says('You may call startInstance.');
    expect(await visitor.barriers('access')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('offers members only what they may do, in their language, and lets them leave', async () => {
    const tenant = await world.createTenant({ name: 'Northern servers' });
    const moderator = await world.addMember(tenant, 'Moderator');
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/team' });
    await visitor.fill('E-Mail-Adresse', moderator.email);
    await visitor.fill('Passwort', password);
    await visitor.press('Anmelden');
    await visitor.see('Ihre Mitgliedschaft');
    await rowOf(visitor, tenant.owner.email).waitFor();
    expect(await visitor.page.getByRole('button', { name: /einladen|Aktionen für/ }).count()).toBe(0);
    expect(await visitor.barriers('team-german')).toEqual([]);
    await visitor.follow('Rollen');
    await visitor.row('Viewer').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Rolle anlegen' }).count()).toBe(0);
    await visitor.follow('Moderator');
    await visitor.see('Mitglieder mit dieser Rolle');
    expect(await visitor.page.getByRole('checkbox').count()).toBe(0);
    expect(await visitor.barriers('role-german')).toEqual([]);

    const viewer = await world.addMember(tenant, 'Viewer');
    const guest = await Visitor.open(browser, world, { email: viewer.email, path: '/team/access' });
    await guest.says(/You may not see other members/);
    await guest.page.getByLabel('Permission', { exact: true }).selectOption('fleet.view');
    await guest.says('Yes: you may do this.');
    await guest.follow('Members');
    await guest.see('Your membership');
    expect(await guest.page.getByRole('table').count()).toBe(0);
    expect(await guest.barriers('team-viewer')).toEqual([]);
    await guest.press('Leave the team');
    await guest.fill('Type Northern servers to confirm', 'Northern servers', guest.dialog);
    await guest.press('Leave the team', guest.dialog);
    await guest.dialog.nth(1).waitFor();
    await guest.fill('Password', password, guest.dialog.last());
    await guest.press('Confirm', guest.dialog.last());
    await guest.page.waitForURL('**/new-license');
    await world.call('get', '/api/license', viewer).expect(401);
    expect([...visitor.faults, ...guest.faults]).toEqual([]);
  });
});

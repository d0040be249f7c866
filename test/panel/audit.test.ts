// The audit log: of a license, and of the whole platform.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { adminEmail, password, World, type Tenant } from '../support/world.ts';
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

const searchOf = (visitor: Visitor) => Object.fromEntries(new URL(visitor.page.url()).searchParams);

async function createCluster({ owner }: Tenant, name: string): Promise<string> {
  const { body } = await world.call('post', '/api/fleet/clusters', owner).send({ name }).expect(201);
  return (body as { id: string }).id;
}

describe('the audit log', () => {
  it('is filtered in the address, explains each change, and is downloaded', async () => {
    const tenant = await world.createTenant();
    const member = await world.addMember(tenant, 'Head Admin');
    const clusterId = await createCluster(tenant, 'EU islands');
    await world
      .call('patch', `/api/fleet/clusters/${clusterId}`, member)
      .send({ name: 'US islands' })
      .expect(200);
    await world.call('post', '/auth/step-up', tenant.owner).send({ password }).expect(200);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/audit' });
    await visitor.row('Cluster changed').getByText('US islands').waitFor();
    await visitor.row('Member created').filter({ hasText: tenant.owner.email }).waitFor();
    // A session has no name of its own; it is that of the user.
    await visitor.row('Session changed').first().getByText(tenant.owner.email).nth(1).waitFor();
    expect(await visitor.barriers('audit')).toEqual([]);

    await visitor.page.getByLabel('Who', { exact: true }).selectOption(member.email);
    await visitor.row('Cluster created').waitFor({ state: 'detached' });
    await visitor.page.getByLabel('Action', { exact: true }).selectOption('changed');
    await visitor.page.getByLabel('Time', { exact: true }).selectOption('Last hour');
    await visitor.row('Cluster changed').waitFor();
    expect(searchOf(visitor)).toMatchObject({ action: 'updated', range: 'hour' });

    await visitor.follow('Cluster changed');
    const { dialog } = visitor;
    await dialog.getByRole('row', { name: 'Name EU islands US islands' }).waitFor();
    await dialog.getByText('updateCluster').waitFor();
    expect(await visitor.barriers('audit-entry')).toEqual([]);
    // The details have an address, too.
    await visitor.page.reload();
    await dialog.getByText('updateCluster').waitFor();
    await visitor.press('Only this object', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(searchOf(visitor)['target']).toBe(clusterId);
    await visitor.page.getByLabel('Action', { exact: true }).selectOption('deleted');
    await visitor.see('No entry matches');
    expect(await visitor.barriers('audit-nothing')).toEqual([]);
    await visitor.press('Clear the filters');
    await visitor.row('Cluster created').waitFor();
    expect(searchOf(visitor)).toEqual({});

    await visitor.follow('Cluster changed');
    await visitor.press('Only this operation', dialog);
    await visitor.press('Remove the filter Operation: updateCluster');
    await visitor.page.getByLabel('Kind of object').selectOption('Cluster');
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Download as CSV');
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
    expect(lines[0]).toMatch(/^id,recorded_at,/);
    expect(lines).toHaveLength(3);
    expect(visitor.faults).toEqual([]);
  });

  it('shows a change when it is made, and the platform’s own log to its administrators', async () => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: '/audit' });
    await visitor.fill('E-Mail-Adresse', tenant.owner.email);
    await visitor.fill('Passwort', password);
    await visitor.press('Anmelden');
    await visitor.see('Protokoll');
    await visitor.row('Rolle angelegt').first().waitFor();
    await createCluster(tenant, 'Späte Inseln');
    await visitor.row('Cluster angelegt').getByText('Späte Inseln').waitFor();
    expect(await visitor.barriers('audit-german')).toEqual([]);
    await visitor.go('/platform/audit');
    await visitor.see('Kein Zugriff');
    await visitor.says('Diese Seite ist den Administratoren der Plattform vorbehalten.');

    const admin = await Visitor.open(browser, world, { email: adminEmail, path: '/platform/audit' });
    await admin.see('Audit log of all licenses');
    await admin.row('Cluster created').getByText('Späte Inseln').waitFor();
    await admin.row('Cluster created').getByText(tenant.license.name, { exact: true }).waitFor();
    expect(await admin.page.getByRole('table').textContent()).not.toContain(tenant.license.id);
    expect(await admin.barriers('platform-audit')).toEqual([]);
    await admin.follow('Cluster created', admin.row('Cluster created').filter({ hasText: 'Späte Inseln' }));
    await admin.dialog.getByRole('definition').getByText(tenant.license.name, { exact: true }).waitFor();
    await admin.press('Only this license', admin.dialog);
    expect(searchOf(admin)).toEqual({ license: tenant.license.id });
    await admin.press(`Remove the filter License: ${tenant.license.name}`);
    expect([...visitor.faults, ...admin.faults]).toEqual([]);
  });
});

// Backups of a server in the panel: made, pinned, downloaded, restored over changed files, and deleted.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let tenant: Tenant;
let server: SimulatedServer;
let address: string;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
  server = await SimulatedServer.start(world, tenant);
  mkdirSync(join(server.directory, 'oxide/config'), { recursive: true });
  writeFileSync(join(server.directory, 'oxide/config/Kits.json'), 'before');
  address = `/servers/${server.instanceId}/backups`;
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

describe('the backups of a server', () => {
  it('are made, pinned, downloaded, restored and deleted', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: address });
    const { page } = visitor;
    await visitor.see('No backups yet');
    expect(await visitor.barriers('no-backups')).toEqual([]);
    await visitor.press('Make a backup');
    await visitor.fill('Note', 'Before the new map', visitor.dialog);
    await visitor.dialog.getByLabel('Some paths').check();
    await visitor.fill('Paths', '../secrets', visitor.dialog);
    await visitor.press('Make the backup', visitor.dialog);
    await visitor.dialog.getByText(/cannot be used|must match/).waitFor();
    expect(await visitor.barriers('make-backup')).toEqual([]);
    await visitor.fill('Paths', 'oxide', visitor.dialog);
    await visitor.press('Make the backup', visitor.dialog);
    await visitor.says('Create backup: done');
    const row = page.getByRole('row').filter({ hasText: 'Before the new map' });
    await row.waitFor();
    await page.reload();
    await visitor.says('Create backup: done');
    const menu = async (action: string) => {
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };

    await menu('Pin');
    await visitor.press('Pin', visitor.dialog);
    await visitor.stepUp();
    await row.getByText('Pinned').waitFor();
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Unpin' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await menu('Edit the note');
    await visitor.dialog.getByLabel('Note').fill('Island map');
    await visitor.press('Save', visitor.dialog);
    const renamed = page.getByRole('row').filter({ hasText: 'Island map' });
    await renamed.waitFor();
    expect(await visitor.barriers('backups')).toEqual([]);
    await renamed.getByRole('link').click();
    await visitor.dialog.getByText('Changed while they were read').waitFor();
    expect(new URL(page.url()).searchParams.has('backup')).toBe(true);
    expect(await visitor.barriers('backup-details')).toEqual([]);
    await page.keyboard.press('Escape');
    const act = async (action: string) => {
      await renamed.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    const saved = page.waitForEvent('download');
    await act('Download');
    expect((await readFile(await (await saved).path())).subarray(0, 2).toString()).toBe('PK');

    writeFileSync(join(server.directory, 'oxide/config/Kits.json'), 'after');
    await act('Restore');
    await visitor.dialog.getByText('oxide', { exact: true }).waitFor();
    await visitor.fill('Type main to confirm', 'main', visitor.dialog);
    expect(await visitor.barriers('restore-dialog')).toEqual([]);
    await visitor.press('Restore', visitor.dialog);
    await visitor.says('Restore backup: done');
    expect(readFileSync(join(server.directory, 'oxide/config/Kits.json'), 'utf8')).toBe('before');
    await page.getByRole('row').filter({ hasText: 'Before a restoration' }).waitFor();

    await page.getByLabel('Reason').selectOption('Before a restoration');
    expect(new URL(page.url()).searchParams.get('kind')).toBe('before_restore');
    const former = page.getByRole('row').filter({ hasText: 'Before a restoration' });
    await former.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await visitor.fill('Type main to confirm', 'main', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.see('No backup matches');

    await visitor.fill('Backups to keep', '99');
    await visitor.press('Save', visitor.section('How many are kept'));
    await visitor.section('How many are kept').locator('[class*=Input-error]').waitFor();
    expect(await visitor.barriers('policy')).toEqual([]);
    await visitor.fill('Backups to keep', '3');
    await visitor.press('Save', visitor.section('How many are kept'));
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('can be seen by a viewer, who is offered nothing to change, and in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path: address });
    await visitor.section('How many are kept').waitFor();
    await visitor.page.getByRole('row').filter({ hasText: 'Island map' }).waitFor();
    const main = visitor.page.locator('main');
    expect(await main.getByRole('button', { name: /Make|Save|Actions/ }).count()).toBe(0);
    const german = await Visitor.open(browser, world, {
      path: address,
      locale: 'de',
      email: tenant.owner.email,
    });
    await german.page.getByRole('row').filter({ hasText: 'Island map' }).waitFor();
    expect(await german.barriers('backups-german')).toEqual([]);
    expect([...visitor.faults, ...german.faults]).toEqual([]);
  });
});

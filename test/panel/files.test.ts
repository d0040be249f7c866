// Files of a server in the panel: folders, uploads, the editor with two people in it, and what is refused.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let tenant: Tenant;
let server: SimulatedServer;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
  server = await SimulatedServer.start(world, tenant);
  const config = join(server.directory, 'oxide/config');
  mkdirSync(config, { recursive: true });
  mkdirSync(join(server.directory, 'empty'));
  writeFileSync(join(config, 'Kits.json'), '{\n  "Default cooldown": 60,\n  "Kits": ["starter", "vip"]\n}\n');
  writeFileSync(join(config, 'windows.cfg'), 'one\r\ntwo\r\n');
  writeFileSync(join(config, 'world.sav'), Buffer.from([0xff, 0xfe, 0x00, 0x01]));
  writeFileSync(join(config, 'large.log'), Buffer.alloc(300 * 1024, 'a'));
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

const at = (path: string) => join(server.directory, path);
const address = (rest = '') => `/servers/${server.instanceId}/files${rest}`;
/** The editor deletes first: the browser itself would style what replaces coloured text, against the page's policy. */
async function rewrite(text: Locator, content: string): Promise<void> {
  await text.press('Control+a');
  await text.press('Backspace');
  await text.fill(content);
}

const editor = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of ${name}` });

/** A drop event with a folder that cannot be read, which no browser lets a script make of a real folder. */
const dropOfLockedFolder = `{
  const entry = {
    isFile: false,
    fullPath: '/locked',
    createReader: () => ({ readEntries: (_, refuse) => refuse(new DOMException('locked', 'NotReadableError')) }),
  };
  const drop = new Event('drop', { bubbles: true, cancelable: true });
  drop.dataTransfer = { types: ['Files'], items: [{ webkitGetAsEntry: () => entry }], files: [] };
  document.querySelector('main [role=row]').dispatchEvent(drop);
}`;

describe('the files of a server', () => {
  it('say after a reload how far an upload was, and take the file again', async () => {
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: address('?path=empty'),
    });
    const { page } = visitor;
    const file = {
      name: 'world.map',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(2_000_000, 'm'),
    };
    const network = await page.context().newCDPSession(page);
    const limitUpload = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await visitor.see('This folder is empty');
    await limitUpload(100_000);
    await page.locator('input[type=file]').setInputFiles(file);
    const transfers = page.getByRole('region', { name: 'Uploads and downloads' });
    await transfers.getByText(/^([2-9]\d\d|\d{4}) kB of /).waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await transfers.getByText('1 transfer was interrupted').waitFor();
    await transfers.getByText(/^Interrupted at \d+% when the page was left$/).waitFor();
    expect(existsSync(at('empty/world.map'))).toBe(false);
    expect(await visitor.barriers('interrupted')).toEqual([]);
    // The page does not ask again, and shows it until it is dismissed.
    await page.reload();
    await transfers.getByText(/^Interrupted at/).waitFor();
    await visitor.go('/servers');
    await visitor.press('Choose the file again', transfers);
    await visitor.see('This folder is empty');
    expect(new URL(page.url()).searchParams.get('path')).toBe('empty');
    await limitUpload(-1);
    await page.locator('input[type=file]').setInputFiles(file);
    await transfers.getByText('1 transfer finished').waitFor();
    expect(readFileSync(at('empty/world.map')).length).toBe(2_000_000);
    await page.reload();
    await visitor.row('world.map').waitFor();
    expect(await transfers.count()).toBe(0);
    expect(asked).toEqual(['beforeunload']);
    rmSync(at('empty/world.map'));
    expect(visitor.faults).toEqual([]);
  });

  it('are walked through, uploaded, renamed, moved, packed, extracted and deleted', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: address() });
    const { page } = visitor;
    const menu = async (name: string, action: string) => {
      await visitor.press(`Actions for ${name}`);
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await visitor.follow('oxide');
    await visitor.row('config').waitFor();
    expect(new URL(page.url()).searchParams.get('path')).toBe('oxide');
    await visitor.follow('config');
    await visitor.row('Kits.json').getByText('59 bytes').waitFor();
    expect(await visitor.barriers('folder')).toEqual([]);
    await visitor.press('Size');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('size');

    const files = page.locator('input[type=file]');
    await files.setInputFiles({ name: 'Shop.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await visitor.row('Shop.json').waitFor();
    expect(readFileSync(at('oxide/config/Shop.json'), 'utf8')).toBe('{}');
    await files.setInputFiles({
      name: 'Shop.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[1]'),
    });
    const transfers = page.getByRole('region', { name: 'Uploads and downloads' });
    await transfers.getByText('1 transfer failed').waitFor();
    expect(await visitor.barriers('transfers')).toEqual([]);
    await visitor.press('Replace the existing file', transfers);
    await transfers.getByText('2 transfers finished').waitFor();
    expect(readFileSync(at('oxide/config/Shop.json'), 'utf8')).toBe('[1]');
    await visitor.press('Clear the list', transfers);

    await menu('Shop.json', 'Rename');
    await visitor.fill('New name', 'Kits.json', visitor.dialog);
    await visitor.press('Rename', visitor.dialog);
    await visitor.dialog.getByLabel('Replace the existing file').waitFor();
    expect(await visitor.barriers('rename')).toEqual([]);
    // Consent for one file is none for another.
    await visitor.dialog.getByLabel('Replace the existing file').check();
    await visitor.fill('New name', 'windows.cfg', visitor.dialog);
    await visitor.press('Rename', visitor.dialog);
    await visitor.dialog
      .getByRole('checkbox', { name: 'Replace the existing file', checked: false })
      .waitFor();
    await visitor.fill('New name', 'Store.json', visitor.dialog);
    await visitor.press('Rename', visitor.dialog);
    await visitor.row('Store.json').waitFor();

    await visitor.press('New');
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await visitor.fill('Name of the folder', 'a:b', visitor.dialog);
    await visitor.press('Create', visitor.dialog);
    await visitor.dialog.locator('[class*=Input-error]').waitFor();
    await visitor.fill('Name of the folder', 'old', visitor.dialog);
    await visitor.press('Create', visitor.dialog);
    await visitor.row('old').waitFor();
    await page.getByRole('checkbox', { name: 'Select Store.json' }).check();
    await page.getByRole('checkbox', { name: 'Select windows.cfg' }).check();
    expect(await visitor.barriers('selected')).toEqual([]);
    await visitor.press('Move');
    await visitor.press('old', visitor.dialog);
    expect(await visitor.barriers('move')).toEqual([]);
    await visitor.press('Move here', visitor.dialog);
    await until(() => existsSync(at('oxide/config/old/windows.cfg')), 'the move');

    await menu('old', 'Pack into a zip file');
    await visitor.press('Pack', visitor.dialog);
    await visitor.says('Create archive: done');
    await page.reload();
    await visitor.says('Create archive: done');
    await menu('old.zip', 'Extract');
    await visitor.fill('Folder to extract into', 'restored', visitor.dialog);
    expect(await visitor.barriers('extract')).toEqual([]);
    await visitor.press('Extract', visitor.dialog);
    await visitor.says('Extract archive: done');
    expect(readFileSync(at('restored/oxide/config/old/Store.json'), 'utf8')).toBe('[1]');

    await menu('old', 'Delete');
    await visitor.dialog.getByText('oxide/config/old with everything in it').waitFor();
    await visitor.fill('Type old to confirm', 'old', visitor.dialog);
    expect(await visitor.barriers('delete')).toEqual([]);
    await visitor.press('Delete', visitor.dialog);
    await visitor.row('old').waitFor({ state: 'detached' });
    expect(existsSync(at('oxide/config/old'))).toBe(false);

    const saved = page.waitForEvent('download');
    await menu('Kits.json', 'Download');
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('Default cooldown');
    await menu('Kits.json', 'Properties');
    await visitor.dialog.getByText('59 bytes').waitFor();
    expect(await visitor.barriers('properties')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('are deleted and moved with a result for each, and what failed is repeated alone', async () => {
    mkdirSync(at('many/target'), { recursive: true });
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(at(`many/${name}`), name);
    writeFileSync(at('many/target/b.txt'), 'another');
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: address('?path=many'),
    });
    const select = async () => {
      for (const name of ['a.txt', 'b.txt', 'c.txt'])
        await visitor.page.getByRole('checkbox', { name: `Select ${name}` }).check();
    };
    const resultOf = (name: string) => visitor.dialog.getByRole('listitem').filter({ hasText: name });
    await select();
    await visitor.press('Move');
    await visitor.press('target', visitor.dialog);
    await visitor.press('Move here', visitor.dialog);
    await visitor.says('1 of 3 entries is left.');
    await resultOf('b.txt').getByText('Failed').waitFor();
    await resultOf('c.txt').getByText('Done').waitFor();
    expect(await visitor.barriers('partly-moved')).toEqual([]);
    rmSync(at('many/target/b.txt'));
    await visitor.press('Try again', visitor.dialog);
    await visitor.dialog.waitFor({ state: 'detached' });
    expect(readFileSync(at('many/target/b.txt'), 'utf8')).toBe('b.txt');

    await visitor.go(address('?path=many%2Ftarget'));
    await select();
    rmSync(at('many/target/b.txt'));
    await visitor.press('Delete');
    await visitor.fill('Type 3 entries to confirm', '3 entries', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await resultOf('b.txt').getByText('Failed').waitFor();
    await resultOf('c.txt').getByText('Done').waitFor();
    expect(await visitor.barriers('partly-deleted')).toEqual([]);
    expect(existsSync(at('many/target/c.txt'))).toBe(false);
    writeFileSync(at('many/target/b.txt'), 'back');
    await visitor.press('Try again', visitor.dialog);
    await visitor.dialog.waitFor({ state: 'detached' });
    await visitor.see('This folder is empty');
    rmSync(at('many'), { recursive: true });
    expect(visitor.faults).toEqual([]);
  });

  it('are cancelled while they are uploaded, and leave nothing behind', async () => {
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: address('?path=empty'),
    });
    await visitor.see('This folder is empty');
    expect(await visitor.barriers('empty-folder')).toEqual([]);
    // Held back, so that the upload stays under way.
    await visitor.page.route('**/files/upload*', () => undefined);
    await visitor.page.locator('input[type=file]').setInputFiles({
      name: 'big.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(5_000_000),
    });
    await visitor.press('Cancel big.bin');
    await visitor.says('Cancelled');
    await visitor.page.unrouteAll();
    await visitor.press('Try again');
    await visitor.row('big.bin').waitFor();
    expect(readFileSync(at('empty/big.bin')).byteLength).toBe(5_000_000);
    expect(visitor.faults).toEqual([]);
  });

  it('are edited by two at once without losing either text, and the draft outlasts its tab', async () => {
    const kits = `${address('/edit')}?path=oxide%2Fconfig%2FKits.json`;
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: kits });
    const mine = editor(visitor.page, 'Kits.json');
    await mine.waitFor();
    const tab = await visitor.openTab(kits);
    const theirs = editor(tab, 'Kits.json');
    await theirs.waitFor();
    expect(await visitor.barriers('editor')).toEqual([]);

    await rewrite(mine, '{ "Default cooldown": 30 }');
    await rewrite(theirs, '{ "Default cooldown": 90 }');
    await theirs.press('Control+s');
    await tab.getByText('Saved', { exact: true }).waitFor();
    // An event may have brought the other text already.
    await mine.press('Control+s');
    await visitor.says('Someone else has saved this file in the meantime');
    expect(await visitor.barriers('conflict')).toEqual([]);
    expect(readFileSync(at('oxide/config/Kits.json'), 'utf8')).toContain('90');
    await visitor.press('Keep mine');
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    expect(readFileSync(at('oxide/config/Kits.json'), 'utf8')).toBe('{ "Default cooldown": 30 }');

    await rewrite(theirs, '{ "Default cooldown": ');
    await tab.getByText(/^Not valid JSON/).waitFor();
    await tab.close();
    const later = await visitor.openTab(kits);
    await later.getByText('Your unsaved changes were restored').waitFor();
    expect(await editor(later, 'Kits.json').innerText()).toBe('{ "Default cooldown": ');
    const kept = `Object.keys(localStorage).filter((key) => key.startsWith('gantry-draft/'))`;
    expect(await later.evaluate(kept)).toHaveLength(1);
    await visitor.page.getByRole('button', { name: /Account menu/ }).click();
    later.on('dialog', (dialog) => void dialog.accept());
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.see('Sign in');
    await later.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await later.evaluate(kept)).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('name what the browser cannot read of a drop', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: address() });
    await visitor.row('oxide').waitFor();
    await visitor.page.evaluate(dropOfLockedFolder);
    await visitor.says('The browser could not read this, so it was not uploaded: /locked');
    expect(await visitor.barriers('unreadable-drop')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('keep their line ends, and explain what cannot be edited', async () => {
    writeFileSync(at('oxide/config/lines.cfg'), 'one\r\ntwo\r\n');
    const edit = (path: string) => `${address('/edit')}?path=${encodeURIComponent(path)}`;
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: edit('oxide/config/lines.cfg'),
    });
    const text = editor(visitor.page, 'lines.cfg');
    await text.press('Control+End');
    await text.pressSequentially('three');
    await text.press('Control+f');
    await visitor.page.getByRole('textbox', { name: 'Find' }).waitFor();
    expect(await visitor.barriers('editor-search')).toEqual([]);
    await visitor.press('Save');
    await visitor.page.getByText('Saved', { exact: true }).waitFor();
    expect(readFileSync(at('oxide/config/lines.cfg'), 'utf8')).toBe('one\r\ntwo\r\nthree');
    await visitor.go(edit('oxide/config/world.sav'));
    await visitor.see('This is not a text file');
    expect(await visitor.barriers('binary')).toEqual([]);
    await visitor.go(edit('oxide/config/large.log'));
    await visitor.see('This file is too large to edit');
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Download');
    expect((await readFile(await (await saved).path())).byteLength).toBe(300 * 1024);
    await visitor.go(edit('oxide/config/nothing'));
    await visitor.see('This file does not exist');
    await visitor.go(edit('../../etc/passwd'));
    await visitor.says(/The path cannot be used/);
    await visitor.go(address('?path=..%2F..%2Fetc'));
    await visitor.says(/The path cannot be used/);
    expect(await visitor.barriers('refused-path')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('are not offered to a viewer, and are shown in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, {
      email: viewer.email,
      path: `/servers/${server.instanceId}`,
    });
    await visitor.page.getByRole('link', { name: 'Overview' }).waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Files', exact: true }).count()).toBe(0);
    await visitor.go(address());
    await visitor.see('You may not see this');
    const german = await Visitor.open(browser, world, {
      path: address('?path=oxide%2Fconfig'),
      locale: 'de',
      email: tenant.owner.email,
    });
    await german.row('Kits.json').waitFor();
    expect(await german.barriers('folder-german')).toEqual([]);
    expect([...visitor.faults, ...german.faults]).toEqual([]);
  });
});

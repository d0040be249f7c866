// Plugins in the panel: uploaded, compiled or refused, loaded, unloaded, uninstalled and restored.
import type { Browser } from 'playwright-core';
import { sourceOf } from '../agent/support/plugins.ts';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

/** Drops files on the page, by their names without the ending. */
const dropOf = (sources: readonly (readonly [name: string, source: string])[]) => `{
  const data = new DataTransfer();
  for (const [name, source] of ${JSON.stringify(sources)}) data.items.add(new File([source], name + '.cs'));
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data });
  document.querySelector('main input[type=file]').dispatchEvent(drop);
}`;

describe('the plugins of the panel', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;
  let path: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
    tenant = await world.createTenant();
    const { instanceId } = await SimulatedServer.start(world, tenant);
    path = `/servers/${instanceId}/plugins`;
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('are uploaded with what came of it, reloaded, unloaded, uninstalled and restored', async () => {
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path });
    const { page } = visitor;
    const plugin = (name: string) => page.getByRole('row').filter({ hasText: name });
    const choose = async (name: string, verb: string) => {
      await visitor.press(`Actions for ${name}`);
      await page.getByRole('menuitem', { name: verb, exact: true }).click();
    };
    const upload = (name: string, source: string) =>
      page.locator('input[type=file]').setInputFiles({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(source),
      });
    await visitor.see('No plugins yet');
    expect(await visitor.barriers('no-plugins')).toEqual([]);

    await upload('Kits.cs', sourceOf('Kits', '1.2.0'));
    await visitor.see('Install Kits');
    // While it held the file, the browser would report no further choice of it.
    expect(await page.locator('input[type=file]').inputValue()).toBe('');
    await visitor.dialog.getByText('The Kits').waitFor();
    await visitor.press('Install', visitor.dialog);
    await visitor.dialog.getByText('Installed').waitFor();
    await visitor.press('Close', visitor.dialog);
    await plugin('The Kits').getByText('1.2.0').waitFor();

    // Several files that are dropped are installed one after the other.
    await page.evaluate(
      dropOf([
        ['First', sourceOf('First')],
        ['Other', sourceOf('Kits')],
        ['Second', sourceOf('Second')],
      ]),
    );
    await visitor.see('Install First');
    await visitor.dialog.getByText('2 more files follow, one after the other.').waitFor();
    expect(await visitor.barriers('several')).toEqual([]);
    await visitor.press('Install', visitor.dialog);
    await visitor.dialog.getByText('Installed').waitFor();
    await visitor.press('Next file', visitor.dialog);
    await visitor.dialog.getByText('Other.cs declares no class with that name').waitFor();
    await visitor.press('Next file', visitor.dialog);
    await visitor.see('Install Second');
    await visitor.press('Install', visitor.dialog);
    await visitor.dialog.getByText('Installed').waitFor();
    await visitor.press('Close', visitor.dialog);
    await plugin('Second').waitFor();

    // A file whose class has another name is refused before anything is sent.
    await upload('Other.cs', sourceOf('Kits'));
    await visitor.dialog.getByText('Other.cs declares no class with that name').waitFor();
    await visitor.press('Close', visitor.dialog);

    await upload('Broken.cs', sourceOf('Broken', '1.0.0', 'CS1002: ; expected'));
    await visitor.press('Install', visitor.dialog);
    await visitor.dialog.getByText('Uploaded, but not loaded').waitFor();
    await visitor.dialog.getByText('CS1002: ; expected').waitFor();
    expect(await visitor.barriers('not-loaded')).toEqual([]);
    await visitor.press('Close', visitor.dialog);
    await visitor.section('1 plugin failed').getByText('CS1002: ; expected').waitFor();
    await plugin('Broken').getByText('Failed').waitFor();
    expect(await visitor.barriers('plugins')).toEqual([]);
    await page.getByLabel('State').selectOption('Failed');
    await plugin('The Kits').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?state=failed');
    await page.getByLabel('State').selectOption('Any state');

    await upload('Kits.cs', sourceOf('Kits', '1.3.0'));
    await visitor.dialog.getByText(/replaces version 1\.2\.0/).waitFor();
    await visitor.press('Replace', visitor.dialog);
    await visitor.dialog.getByText('Installed').waitFor();
    await visitor.press('Close', visitor.dialog);
    await plugin('The Kits').getByText('1.3.0').waitFor();

    await choose('Kits', 'Reload');
    await visitor.says('Reload Kits: done.');
    await choose('Kits', 'Unload');
    await visitor.says('Unload Kits: done.');
    await plugin('Kits').getByText('Unloaded').waitFor();
    await choose('Kits', 'Load');
    await visitor.says('Load Kits: done.');

    await choose('Kits', 'Uninstall');
    await visitor.dialog.getByText(/Kits\.cs is removed/).waitFor();
    expect(await visitor.barriers('uninstall')).toEqual([]);
    await visitor.press('Uninstall', visitor.dialog);
    await visitor.says('Uninstall Kits: done.');
    const copies = visitor.section('Stored copies');
    await page.getByRole('button', { name: 'Restore Kits' }).first().click();
    await visitor.says('Restore Kits: done.');
    await plugin('The Kits').getByText('Loaded').waitFor();
    await copies
      .getByText(/uninstall Kits to restore this copy/)
      .first()
      .waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('are shown to a viewer without changes, and in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email, path });
    await visitor.section('1 plugin failed').waitFor();
    expect(await visitor.page.getByRole('button', { name: /Upload|Restore|Actions for/ }).count()).toBe(0);
    const german = await Visitor.open(browser, world, { email: tenant.owner.email, path, locale: 'de' });
    await german.section('1 Plugin ist fehlerhaft').waitFor();
    expect(await german.barriers('plugins-de')).toEqual([]);
    expect([...visitor.faults, ...german.faults]).toEqual([]);
  });
});

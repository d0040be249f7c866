// The module catalog in the panel: a module is added, refused, put on sale, and changed by two people at once.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { adminEmail, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({
    servesPanel: true,
    roles: ['api'],
    outbound: { allow: [], allowsHttp: false, resolve: addressesOf },
  });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

async function addressesOf(name: string): Promise<string[]> {
  return [name === 'downloads.example.com' ? '93.184.215.14' : '127.0.0.1'];
}

const moduleOf = async (slug: string) => {
  const { body } = await world.call('get', '/api/admin/modules', world.admin).expect(200);
  return body.data.find((each: { slug: string }) => each.slug === slug);
};

describe('the module catalog', () => {
  it('adds a module and changes it', async () => {
    const visitor = await Visitor.open(browser, world, { email: adminEmail, path: '/platform/modules' });
    await visitor.see('Module catalog');
    await visitor.follow('Add a module');
    await visitor.fill('Name', 'Raid alarm');
    await visitor.fill('Identifier', 'raid-alarm');
    await visitor.fill('Description', 'Warns a clan whose base is raided.');
    await visitor.fill('Features', 'Messages to Discord\n\nQuiet hours');
    await visitor.fill('Price', '4,5');
    await visitor.fill('Price for a year', '45');
    await visitor.page.locator('input[type=file]').setInputFiles({
      name: 'RaidAlarm.cs',
      mimeType: 'text/plain',
      buffer: Buffer.from('class RaidAlarm {}'),
    });
    await visitor.page.waitForFunction(`document.querySelector('input.mono').value.length === 64`);
    await visitor.fill('Address of the file', 'https://elsewhere.example.com/RaidAlarm.cs');
    await visitor.press('Add a module');
    await visitor.dialog.waitFor();
    await visitor.stepUp();
    await visitor.page.locator('input[type=url][aria-invalid=true]').waitFor();
    expect(await visitor.barriers('modules-new')).toEqual([]);
    await visitor.fill('Address of the file', 'https://downloads.example.com/RaidAlarm.cs');
    await visitor.press('Add a module');
    await visitor.see('Raid alarm');
    await visitor.says('Not on sale');
    expect(await moduleOf('raid-alarm')).toMatchObject({
      price: { amount: '4.50', currency: 'USD' },
      yearly_amount: '45.00',
      features: ['Messages to Discord', 'Quiet hours'],
      plugin: 'RaidAlarm',
      download: { bytes: 18 },
      is_listed: false,
    });

    await visitor.page.getByRole('switch', { name: 'On sale' }).click();
    await visitor.fill('Price', '5');
    await visitor.press('Save');
    await visitor.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const stored = await moduleOf('raid-alarm');
    expect(stored).toMatchObject({ price: { amount: '5.00', currency: 'USD' }, is_listed: true });
    expect(await visitor.barriers('modules-one')).toEqual([]);

    await visitor.fill('Name', 'Base alarm');
    await world
      .call('patch', `/api/admin/modules/${stored.id}`, world.admin)
      .send({ name: 'Raid siren' })
      .expect(200);
    await visitor.press('Save');
    await visitor.says('has been changed');
    await visitor.page.getByRole('cell', { name: 'Raid siren' }).waitFor();
    expect(await visitor.barriers('modules-conflict')).toEqual([]);
    expect((await moduleOf('raid-alarm')).name).toBe('Raid siren');

    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    visitor.page.once('dialog', (dialog) => void dialog.accept());
    await visitor.go('/platform/modules');
    await visitor.see('Modulkatalog');
    await visitor.says('Raid siren');
    expect(await visitor.barriers('modules-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

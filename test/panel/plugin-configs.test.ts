// Plugin configurations in the panel: made, edited, compared with servers and applied to them, and taken from files.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { PluginHost, pluginSource } from '../support/plugin-host.ts';
import { Visitor } from './support/panel.ts';

let host: PluginHost;
let browser: Browser;

const gatherFile = JSON.stringify({ Options: { GatherResourceModifiers: { '*': 1, Wood: 2 } } }, null, 2);

beforeAll(async () => {
  browser = await openBrowser();
  host = await PluginHost.open({
    servesPanel: true,
    frameworks: ['oxide', 'carbon'],
    prepare: async ({ servers }) => {
      for (const server of servers) {
        server.write(
          'plugins/GatherManager.cs',
          pluginSource('GatherManager', { refuses: '"Sulfur Ore": 77' }),
        );
        server.write('config/GatherManager.json', gatherFile);
      }
    },
  });
  for (const server of host.servers) await host.startServer(server);
});

afterAll(async () => {
  await host.close();
  await browser.close();
});

const visit = (email: string, path: string) => Visitor.open(browser, host.world, { email, path });

describe('plugin configurations', () => {
  it('lead from a preset to every server, with a result for each that outlasts a reload', async () => {
    const visitor = await visit(host.tenant.owner.email, '/plugin-configs');
    await visitor.see('No configurations yet');
    expect(await visitor.barriers('none')).toEqual([]);
    await visitor.page.getByRole('link', { name: 'New configuration' }).click();
    await visitor.page.getByRole('radio', { name: /^Gather rates/ }).check({ force: true });
    await visitor.page.getByRole('radio', { name: /^2x/ }).check();
    expect(await visitor.barriers('new')).toEqual([]);
    await visitor.fill('Name', 'Weekend');
    await visitor.press('Create configuration');
    await visitor.see('Weekend');

    await visitor.page.getByRole('textbox', { name: 'Quarries: Sulfur ore' }).waitFor();
    expect(await visitor.barriers('gather')).toEqual([]);
    await visitor.follow('JSON');
    await visitor.page.getByRole('textbox', { name: 'Settings as JSON' }).waitFor();
    expect(await visitor.barriers('json')).toEqual([]);
    await visitor.follow('Edit');
    await visitor.fill('Name', 'Long weekend');
    await visitor.page.reload();
    await visitor.says('Your unsaved changes are back.');
    expect(await visitor.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Long weekend');
    await visitor.press('Save');
    await visitor.see('Long weekend');

    await visitor.press('Apply to servers');
    await visitor.page.getByRole('checkbox', { name: 'Select all' }).check();
    await visitor.press('Compare with servers');
    await visitor.section('Changes on carbon').getByText('+ ').first().waitFor();
    expect(await visitor.barriers('compare')).toEqual([]);
    await visitor.press('Apply to 2 servers');
    expect(await visitor.barriers('apply-dialog')).toEqual([]);
    await visitor.press('Apply to 2 servers', visitor.dialog);
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    await results.getByText('Applied', { exact: true }).nth(1).waitFor();
    // The comparison was one with the files from before.
    expect(await visitor.section('Changes on carbon').count()).toBe(0);
    await visitor.page.reload();
    await results.getByText('Applied', { exact: true }).nth(1).waitFor();
    await visitor.section('Applied before').getByText('version 2').nth(1).waitFor();
    expect(await visitor.barriers('results')).toEqual([]);
    for (const server of host.servers)
      expect(JSON.parse(server.read('config/GatherManager.json'))).toMatchObject({
        Options: { GatherResourceModifiers: { '*': 2, Wood: 2 } },
      });

    // The plugin cannot load the next version, so that the servers keep this one.
    const former = host.servers.map((server) => server.read('config/GatherManager.json'));
    await visitor.press('Close the results');
    await visitor.follow('Edit');
    await visitor.fill('Quarries: Sulfur ore', '77');
    await visitor.press('Save');
    await visitor.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await visitor.press('Apply to servers');
    await visitor.page.getByRole('checkbox', { name: 'Select all' }).check();
    await visitor.press('Compare with servers');
    await visitor.section('Changes on carbon').getByText('77').first().waitFor();
    await visitor.press('Apply to 2 servers');
    await visitor.press('Apply to 2 servers', visitor.dialog);
    await results.getByText('Failed', { exact: true }).nth(1).waitFor();
    await visitor.section('Applied before').getByText('version 3').nth(1).waitFor();
    expect(await visitor.barriers('rolled-back')).toEqual([]);
    expect(host.servers.map((server) => server.read('config/GatherManager.json'))).toEqual(former);
    expect(visitor.faults).toEqual([]);
  });

  it('are edited by forms, which show what the platform objects to, and what another user has saved', async () => {
    const { id } = await host.create('automatic-doors', { default_delay_seconds: 6 }, 'Doors');
    const path = `/plugin-configs/automatic-doors/${id}`;
    const visitor = await visit(host.tenant.owner.email, path);
    await visitor.see('Doors');
    await visitor.fill('Default delay', '9000');
    await visitor.says('1 setting cannot stay like this');
    expect(
      await visitor.page.getByRole('textbox', { name: 'Default delay' }).getAttribute('aria-invalid'),
    ).toBe('true');
    expect(await visitor.barriers('fault')).toEqual([]);
    const delay = visitor.page.getByRole('textbox', { name: 'Default delay' });
    await delay.fill('1e');
    await visitor.says('This is not a number.');
    expect(await delay.inputValue()).toBe('1e');
    await delay.fill('');
    await delay.pressSequentially('12');
    await visitor.page.getByText('1 setting cannot stay like this').waitFor({ state: 'detached' });
    await host
      .call('patch', `automatic-doors/${id}`, { config_data: { default_delay_seconds: 7 } })
      .expect(200);
    await visitor.says('Someone else has saved in the meantime');
    expect(await visitor.barriers('conflict')).toEqual([]);
    await visitor.press('Keep mine');
    await visitor.press('Save');
    await visitor.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const { body } = await host.call('get', `automatic-doors/${id}`).expect(200);
    expect(body).toMatchObject({ version: 3, config_data: { default_delay_seconds: 12 } });
    expect(visitor.faults).toEqual([]);
  });

  it('edit loot by containers and groups, and multiply the amounts after a preview', async () => {
    const prefab = 'assets/bundled/prefabs/radtown/crate_normal.prefab';
    const { id } = await host.create(
      'loot',
      { loot_table: { [prefab]: { is_enabled: true, items: { scrap: { min: 5, max: 11 } } } } },
      'Crates',
    );
    const visitor = await visit(host.tenant.owner.email, `/plugin-configs/loot/${id}`);
    await visitor.page.getByRole('textbox', { name: 'To: Scrap', exact: true }).waitFor();
    await visitor.page
      .getByRole('combobox', { name: 'Add an item: Items that may be drawn' })
      .fill('Assault Rifle');
    await visitor.page.getByRole('option', { name: /rifle\.ak$/ }).click();
    await visitor.page.getByRole('textbox', { name: 'To: Assault Rifle', exact: true }).fill('2');
    expect(await visitor.barriers('loot')).toEqual([]);
    await visitor.press('Save');
    await visitor.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await visitor.press('Multiply amounts');
    const factor = visitor.dialog.getByRole('textbox', { name: 'Factor' });
    await factor.fill('');
    await visitor.dialog.getByText('Enter a number.').waitFor();
    await factor.pressSequentially('1.5');
    expect(await factor.inputValue()).toBe('1.5');
    await visitor.dialog.getByText('8–17').waitFor();
    expect(await visitor.barriers('multiply')).toEqual([]);
    await visitor.press('Multiply 2 amounts', visitor.dialog);
    await visitor.dialog.waitFor({ state: 'detached' });
    const { body } = await host.call('get', `loot/${id}`).expect(200);
    expect(body).toMatchObject({
      version: 3,
      config_data: {
        loot_table: { [prefab]: { items: { scrap: { min: 8, max: 17 }, 'rifle.ak': { min: 2, max: 3 } } } },
      },
    });
    expect(visitor.faults).toEqual([]);
  });

  it('have editors made for their work, without barriers', async () => {
    const item = (shortname: string, container: string, position: number) => ({
      ...{ shortname, container, position },
      amount: 1,
    });
    const samples: [kind: string, section: string, data: object][] = [
      [
        'kits',
        'Kits',
        { kits: { starter: { items: [item('rifle.ak', 'belt', 0), item('hoodie', 'wear', 1)] } } },
      ],
      [
        'chat',
        'Chat groups',
        { groups: [{ group: 'default' }, { group: 'admin', title: { color: '#ff4444' } }] },
      ],
      [
        'timed-commands',
        'Repeated',
        { timer_repeat: { is_enabled: true, commands: { 'server.save': 300 } }, on_connect: ['say Welcome'] },
      ],
      [
        'raidable-bases',
        'Raids by difficulty and day',
        { easy_loot: [{ shortname: 'rifle.ak', amount: 1, probability: 0.5 }] },
      ],
      ['teleport', 'Waits, limits and prices', { home: { homes_limit: 3 }, dynamic_commands: { Town: {} } }],
      ['furnace-splitting', 'Furnaces', { furnaces: { all: { is_enabled: true } } }],
    ];
    const visitor = await visit(host.tenant.owner.email, '/plugin-configs');
    await visitor.see('Plugin configurations');
    for (const [kind, section, data] of samples) {
      const { id } = await host.create(kind, data, `Sample ${kind}`);
      await visitor.go(`/plugin-configs/${kind}/${id}`);
      await visitor.section(section).waitFor();
      expect(await visitor.barriers(kind)).toEqual([]);
    }
    await visitor.page.goBack();
    expect(visitor.faults).toEqual([]);
  });

  it('put items into kits, colours into the chat, and commands on a timer', async () => {
    const kits = await host.create('kits', { kits: { starter: { items: [] } } }, 'Kits');
    const visitor = await visit(host.tenant.owner.email, `/plugin-configs/kits/${kits.id}`);
    const belt = visitor.page.getByRole('group', { name: 'Belt' });
    await visitor.press('Slot 2: empty', belt);
    await visitor.page.getByRole('combobox', { name: 'Add an item' }).fill('rifle.ak');
    await visitor.page.keyboard.press('Enter');
    await visitor.press(/^Slot 2: Assault Rifle/, belt);
    await visitor.press('Save');
    await visitor.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const stored = async (kind: string, id: string) =>
      ((await host.call('get', `${kind}/${id}`).expect(200)).body as { config_data: object }).config_data;
    expect(await stored('kits', kits.id)).toMatchObject({
      kits: { starter: { items: [{ shortname: 'rifle.ak', container: 'belt', position: 1 }] } },
    });

    const timed = await host.create('timed-commands', {}, 'Timers');
    await visitor.go(`/plugin-configs/timed-commands/${timed.id}`);
    const repeated = visitor.section('Repeated');
    await visitor.fill('New command, such as server.save', 'server.save', repeated);
    await visitor.press('Add', repeated);
    await visitor.fill('Seconds for server.save', '600', repeated);
    await visitor
      .section('Joining and leaving players')
      .getByRole('button', { name: 'Set On connect' })
      .click();
    await visitor.page.getByRole('textbox', { name: 'On connect' }).fill('say Welcome {player_name}');
    await visitor.press('Save');
    await visitor.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    expect(await stored('timed-commands', timed.id)).toEqual({
      timer_repeat: { is_enabled: true, commands: { 'server.save': 600 } },
      on_connect: ['say Welcome {player_name}'],
    });
    await visitor.press('Apply to servers');
    await visitor.page.getByRole('checkbox', { name: 'Select oxide' }).check();
    await visitor.press('Apply to 1 server');
    await visitor.press('Apply to 1 server', visitor.dialog);
    const commands = visitor.section('Commands for joining and leaving players');
    await commands.getByLabel('Server').selectOption('oxide');
    await commands.getByText('say Welcome {player_name}').waitFor();
    expect(await visitor.barriers('player-commands')).toEqual([]);
    await visitor.press('End these commands', commands);
    await visitor.press('End these commands', visitor.dialog);
    await commands.getByText('say Welcome {player_name}').waitFor({ state: 'detached' });
    expect(visitor.faults).toEqual([]);
  });

  it('come from files that are chosen, and name what of them is left out', async () => {
    const visitor = await visit(host.tenant.owner.email, '/plugin-configs/new?from=files');
    const file = {
      mimeType: 'application/json',
      buffer: Buffer.from('{"Options": {"MiningQuarryResourceTickRate": 7}, "Hello": 1}'),
    };
    await visitor.page.locator('input[type=file]').setInputFiles([
      { ...file, name: 'GatherManager.json' },
      { ...file, name: 'Unheard.json' },
    ]);
    await visitor.says('1 file belongs to no plugin that can be configured here');
    await visitor.fill('Name', 'From my computer');
    expect(await visitor.barriers('files')).toEqual([]);
    await visitor.press('Import');
    await visitor.see('From my computer');
    await visitor.says(/1 place of the files is not in this configuration/);
    await visitor.press('More actions for From my computer');
    await visitor.page.getByRole('menuitem', { name: 'Delete' }).click();
    await visitor.fill('Type From my computer to confirm', 'From my computer', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.see('Plugin configurations');
    await visitor.page.getByRole('link', { name: 'From my computer' }).waitFor({ state: 'detached' });
    expect(await visitor.barriers('list')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('are shown to a viewer without anything that the platform refuses', async () => {
    const { id } = await host.create('furnace-splitting', { saves_player_data: true }, 'Ovens');
    const viewer = await host.world.addMember(host.tenant, 'Viewer');
    const visitor = await visit(viewer.email, '/plugin-configs');
    await visitor.see('Plugin configurations');
    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    await visitor.page.reload();
    await visitor.see('Plugin-Konfigurationen');
    expect(await visitor.page.getByRole('link', { name: 'Neue Konfiguration' }).count()).toBe(0);
    await visitor.follow('Ovens');
    await visitor.see('Ovens');
    expect(await visitor.page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    expect(await visitor.page.getByRole('button', { name: 'Auf Server anwenden' }).count()).toBe(0);
    expect(await visitor.barriers('viewer-de')).toEqual([]);
    await host.world.call('delete', `/api/plugin-configs/furnace-splitting/${id}`, viewer).expect(403);
    expect(visitor.faults).toEqual([]);
  });
});

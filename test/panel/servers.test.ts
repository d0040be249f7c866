// Servers in the panel: from the first sign-in to a running server, many at once, and what a viewer is not offered.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import type { components } from '../../generated/platform.d.ts';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { adminEmail, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

type Command = components['schemas']['Command'];

describe('the servers of the panel', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('lead from a new license to a server that is stopped, started and typed at', async () => {
    const visitor = await Visitor.open(browser, world, { email: adminEmail });
    await visitor.see('Create your license');
    await visitor.fill('Name', 'Five minutes');
    await visitor.press('Create the license');
    await visitor.see('Add a host');
    await visitor.says('Waiting for a new host …');
    const command = await visitor.page
      .getByRole('group', { name: 'Command that starts the agent' })
      .innerText();
    const token = /GANTRY_COMPANION_TOKEN='([^']+)'/.exec(command)?.[1] ?? '';
    expect(command).toContain(`GANTRY_URL='${world.url}'`);

    const owner = await world.signInConfirmed(adminEmail);
    const { body } = await world.call('get', '/api/license', owner).expect(200);
    const { instanceId } = await SimulatedServer.start(world, {
      license: { ...body, companion_token: token },
      owner,
    });
    await visitor.says(/ is connected$/);
    await visitor.follow('Go to its servers');
    await visitor.row('main').getByText('Running').waitFor();
    expect(await visitor.barriers('servers')).toEqual([]);
    await visitor.follow('main');
    await visitor.see('main');
    expect(new URL(visitor.page.url()).pathname).toBe(`/servers/${instanceId}`);
    expect(await visitor.barriers('instance-overview')).toEqual([]);

    await visitor.press('Stop server');
    expect(await visitor.barriers('stop-dialog')).toEqual([]);
    await visitor.press('Stop server', visitor.dialog);
    await visitor.page
      .getByRole('banner')
      .or(visitor.page.locator('main'))
      .getByText('Stopped')
      .first()
      .waitFor();
    const startCount = async () => {
      const { data } = (await world.call('get', '/api/commands', owner).expect(200)).body as {
        data: Command[];
      };
      return data.filter(({ kind }) => kind === 'start').length;
    };
    const former = await startCount();
    await visitor.page.getByRole('button', { name: 'Start server', exact: true }).dblclick();
    await visitor.page.getByRole('button', { name: 'Restart server' }).waitFor();
    expect(await startCount()).toBe(former + 1);

    await visitor.page.locator('main').getByText('Running', { exact: true }).waitFor();
    await visitor.press('More actions');
    await visitor.page.getByRole('menuitem', { name: 'Kill server' }).click();
    await visitor.says('The agent ends the process at once.');
    expect(await visitor.barriers('kill-dialog')).toEqual([]);
    await visitor.press('Kill server', visitor.dialog);
    await visitor.press('Start server');
    await visitor.page.getByRole('button', { name: 'Restart server' }).waitFor();

    await visitor.follow('Console');
    await visitor.page.locator('main').getByText('Live', { exact: true }).waitFor();
    await visitor.page.locator('main').getByText('Running', { exact: true }).waitFor();
    await visitor.fill('Console command', 'status');
    await visitor.page.keyboard.press('Enter');
    const log = visitor.page.getByRole('log');
    await log.getByText('hostname:').first().waitFor();
    await visitor.page.getByLabel('Console command').press('ArrowUp');
    expect(await visitor.page.getByLabel('Console command').inputValue()).toBe('status');
    await visitor.fill('Search the console', 'hostname');
    await log.locator('mark').first().waitFor();
    expect(await visitor.barriers('console')).toEqual([]);
    await visitor.fill('Search the console', '');
    // The run before the stop is kept on the host.
    await visitor.press('Clear the view');
    await visitor.press('Show earlier lines');
    await log.getByText('hostname:').first().waitFor();
    await visitor.fill('Search the console', 'Saving and shutting down');
    await visitor.press('Search earlier lines');
    await log.locator('mark').first().waitFor();
    expect(await visitor.barriers('console-history')).toEqual([]);
    await visitor.fill('Search the console', '');
    await visitor.page.getByLabel('Lines').selectOption('Commands');
    await log
      .getByText(/\] status$/)
      .first()
      .waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?stream=input');
    expect(visitor.faults).toEqual([]);
  });

  it('are acted on together, with a result for each that outlasts a reload', async () => {
    const tenant = await world.createTenant();
    await SimulatedServer.start(world, tenant);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email });
    await visitor.row('main').getByText('Running').waitFor();
    await visitor.page.getByRole('checkbox', { name: 'Select main' }).check();
    await visitor.press('Message');
    await visitor.fill('Message', 'Restart in a minute', visitor.dialog);
    expect(await visitor.barriers('message-dialog')).toEqual([]);
    await visitor.press('Send', visitor.dialog);
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    await results.getByText(/Sent|Done/).waitFor();
    await visitor.press('Close the results');

    await visitor.page.getByRole('checkbox', { name: 'Select all' }).check();
    await visitor.press('Restart');
    await visitor.press('Restart', visitor.dialog);
    await results.getByText('Done').waitFor();
    await visitor.page.reload();
    await results.getByText('Done').waitFor();
    expect(await visitor.barriers('results')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('continue after a reload with what was not requested, which no other license or user sees', async () => {
    const email = await world.createUser('owner');
    const tenant = await world.createTenant({ owner_email: email, name: 'First' });
    await SimulatedServer.start(world, tenant);
    const visitor = await Visitor.open(browser, world, { email });
    await visitor.row('main').getByText('Running').waitFor();
    await visitor.follow('main');
    await visitor.follow('Console');
    await visitor.page.locator('main').getByText('Live', { exact: true }).waitFor();
    await visitor.fill('Console command', 'status');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('log').getByText('hostname:').first().waitFor();
    await world.createTenant({ owner_email: email, name: 'Other' });
    await visitor.go('/servers');

    // The request never arrives.
    const isHeldBack = Promise.withResolvers<void>();
    await visitor.page.route('**/restart', () => isHeldBack.resolve());
    await visitor.page.getByRole('checkbox', { name: 'Select main' }).check();
    await visitor.press('Restart');
    await visitor.press('Restart', visitor.dialog);
    await isHeldBack.promise;
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    await results.getByText('Waiting').waitFor();
    const asked: string[] = [];
    visitor.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await visitor.page.reload();
    expect(asked).toEqual(['beforeunload']);
    await results.getByText('Not requested').waitFor();
    await visitor.says('1 server was not requested');
    expect(await visitor.barriers('not-requested')).toEqual([]);

    const switchTo = async (license: RegExp) => {
      await visitor.press(/^Switch license/);
      await visitor.page.getByRole('menuitem', { name: license }).click();
    };
    await switchTo(/^Other/);
    await visitor.see('No servers yet');
    expect(await results.count()).toBe(0);
    await switchTo(/^First/);
    await visitor.follow('Servers', visitor.page.getByRole('navigation'));
    await results.getByText('Not requested').waitFor();
    await visitor.page.unrouteAll();
    await visitor.press('Continue with 1 server');
    await results.getByText('Done').waitFor();
    const { body } = await world.call('get', '/api/commands', tenant.owner).expect(200);
    expect((body as { data: Command[] }).data.filter(({ kind }) => kind === 'restart')).toHaveLength(1);

    const kept = `Object.keys(sessionStorage).filter((key) => /runs|console|requested/.test(key)).length`;
    expect(await visitor.page.evaluate(kept)).toBe(2);
    await visitor.press(/Account menu/);
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.see('Sign in');
    expect(await visitor.page.evaluate(kept)).toBe(0);
    expect(asked).toEqual(['beforeunload']);
    expect(visitor.faults).toEqual([]);
  });

  it('are started and stopped in their row, and found with their players in the palette', async () => {
    const tenant = await world.createTenant();
    const { instanceId } = await SimulatedServer.start(world, tenant);
    await world
      .call('post', '/api/plugin/player-event')
      .set('X-License-Key', tenant.license.key)
      .send({
        instance: 'main',
        steam_id: '76561197960287930',
        display_name: 'Dahlia',
        event: 'join',
        occurred_at: new Date().toISOString(),
        event_id: randomUUID(),
      })
      .expect(200);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email });
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    await visitor.row('main').getByText('Running').waitFor();
    await visitor.page.getByRole('checkbox', { name: 'Select main' }).check();
    await visitor.press('Start');
    await visitor.press('Start', visitor.dialog);
    await results.getByText('Was already running').waitFor();
    await visitor.see('Servers started');
    await visitor.page.getByRole('checkbox', { name: 'Select main' }).check();
    await visitor.press('Kill');
    await visitor.says(/saves nothing/);
    expect(await visitor.barriers('kill-dialog')).toEqual([]);
    await visitor.press('Kill', visitor.dialog);
    await results.getByText('Done').waitFor();
    await visitor.see('Servers killed');
    await visitor.press('Start main');
    await visitor.press('Start', visitor.dialog);
    await visitor.row('main').getByText('Running').waitFor();
    await visitor.press('Stop main');
    expect(await visitor.barriers('row-power')).toEqual([]);
    await visitor.press('Stop', visitor.dialog);
    await results.getByText('Done').waitFor();
    await visitor.see('Servers stopped');
    await visitor.page.getByRole('button', { name: 'Start main', exact: true }).waitFor();

    await visitor.page.keyboard.press('Control+k');
    await visitor.dialog.getByRole('combobox').fill('dahl');
    const player = visitor.page.getByRole('option', { name: /Dahlia/ });
    await player.waitFor();
    expect(await visitor.barriers('palette-players')).toEqual([]);
    await player.click();
    await visitor.see('Dahlia');
    expect(new URL(visitor.page.url()).pathname).toBe(`/servers/${instanceId}/players/76561197960287930`);
    expect(visitor.faults).toEqual([]);
  });

  it('offer a viewer nothing that the platform refuses', async () => {
    const tenant = await world.createTenant();
    const { instanceId } = await SimulatedServer.start(world, tenant);
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, { email: viewer.email });
    await visitor.row('main').getByText('Running').waitFor();
    expect(await visitor.page.getByRole('checkbox').count()).toBe(0);
    await visitor.follow('main');
    await visitor.see('main');
    expect(await visitor.page.getByRole('button', { name: /Start|Stop|Restart/ }).count()).toBe(0);
    await visitor.follow('Hosts');
    await visitor.see('Hosts');
    expect(await visitor.page.getByRole('link', { name: 'Add a host' }).count()).toBe(0);
    await world.call('post', `/api/instances/${instanceId}/stop`, viewer).expect(403);
    for (const path of [
      `/servers/${instanceId}/wipes/new`,
      '/webhooks/new',
      '/schedules/new',
      '/api-keys/new',
    ]) {
      await visitor.go(path);
      await visitor.see('You may not see this');
    }
    await visitor.go('/servers/nonsense');
    await visitor.see('Not found');
    expect(visitor.faults).toEqual([]);
  });

  it('say that their host is offline, and return with its agent', async () => {
    const tenant = await world.createTenant();
    const server = await SimulatedServer.start(world, tenant);
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email });
    await visitor.follow('main');
    await visitor.page.getByRole('button', { name: 'Restart server' }).waitFor();
    await server.agent.signal('SIGKILL');
    await visitor.says('The host is offline');
    expect(await visitor.barriers('host-offline')).toEqual([]);
    const later = async (action: string) => {
      await visitor.press('When it is back');
      await visitor.page.getByRole('menuitem', { name: action }).click();
    };
    expect(await visitor.page.getByRole('button', { name: /(Start|Stop|Restart) server/ }).count()).toBe(0);
    await later('Restart server');
    await visitor.dialog
      .getByText(/^The host is offline. This happens when its agent is back, until /)
      .waitFor();
    expect(await visitor.barriers('offline-dialog')).toEqual([]);
    await visitor.press('Restart server', visitor.dialog);
    await visitor.says(/waiting for the agent, until \d/);
    expect(await visitor.barriers('waiting-command')).toEqual([]);
    await visitor.press('Cancel');
    await visitor.page.getByText(/waiting for the agent/).waitFor({ state: 'detached' });
    await visitor.page.locator('main').getByText('Cancelled', { exact: true }).waitFor();

    await later('Restart server');
    await visitor.press('Restart server', visitor.dialog);
    await visitor.follow('Restart requested');
    await visitor.see('Restart');
    expect(await visitor.barriers('queued-command')).toEqual([]);
    await visitor.press('Cancel');
    await visitor.says(/^Cancelled by .* before it was sent to the agent\.$/);
    await visitor.follow('Server');
    await later('Restart server');
    await visitor.press('Restart server', visitor.dialog);
    await visitor.says(/waiting for the agent/);
    await server.agent.start();
    await visitor.page.getByText('The host is offline').waitFor({ state: 'detached' });
    await visitor.page.locator('main').getByText('Running', { exact: true }).first().waitFor();
    await visitor.page.getByText(/waiting for the agent/).waitFor({ state: 'detached' });
    expect(visitor.faults).toEqual([]);
  });

  it('explain a server that is gone, and an address that leads nowhere', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email });
    await visitor.see('No servers yet');
    expect(await visitor.barriers('no-servers')).toEqual([]);
    await visitor.go('/servers/01a208f3-e3a4-79bd-93a5-87f31e55bcb3');
    await visitor.see('Not found');
    await visitor.go('/nowhere');
    await visitor.see('Page not found');
    expect(await visitor.barriers('not-found')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

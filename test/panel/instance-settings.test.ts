// The settings of a server in the panel: its template's parameters changed by a real agent, its removal, its commands.
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { AgentProcess } from '../agent/support/agent.ts';
import { gameFile } from '../agent/support/game-file.ts';
import { openBrowser } from '../support/browser.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { password, World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let tenant: Tenant;
let agent: AgentProcess;
let hostId: string;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
  agent = new AgentProcess(await mkdtemp(join(tmpdir(), 'gantry-settings-')));
  mkdirSync(join(agent.directory, 'files'));
  agent.configure([{ cwd: join(agent.directory, 'files') }], {
    managed_instances: {
      base_directory: join(agent.directory, 'managed'),
      maximum: 2,
      templates: {
        game: {
          description: 'A plain game',
          command: process.execPath,
          args: [gameFile, '--port', '{{port}}', '{{title}}'],
          parameters: {
            port: { type: 'port', minimum: 3979, maximum: 3989 },
            title: { type: 'text', max_length: 30, default: 'A server' },
          },
        },
      },
    },
  });
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
  hostId = await until(async () => {
    const { body } = await world.call('get', '/api/fleet/hosts', tenant.owner).expect(200);
    return body.data[0]?.id as string | undefined;
  }, 'the host');
});

afterAll(async () => {
  await agent.end('SIGKILL');
  await world.close();
  await browser.close();
  await rm(agent.directory, { recursive: true, force: true });
});

/** A stopped server from the template. */
async function createdServer(name: string): Promise<string> {
  await until(async () => {
    const { body } = await world.call('get', `/api/fleet/hosts/${hostId}/instance-templates`, tenant.owner);
    return body.max_instances > 0;
  }, 'the templates');
  await world
    .call('post', `/api/fleet/hosts/${hostId}/instances`, tenant.owner)
    .send({ name, template: 'game', parameters: { title: 'One' } })
    .expect(202);
  return until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner).expect(200);
    const found = body.data.find((each: { name: string }) => each.name === name);
    return found?.state === 'stopped' && (found.id as string);
  }, 'the server');
}

const definitionOf = async (id: string) =>
  (await world.call('get', `/api/fleet/instances/${id}/definition`, tenant.owner).expect(200)).body;

describe('the settings of a server', () => {
  it('change its parameters, show the command, and remove it with its files', async () => {
    const id = await createdServer('event');
    const directory = join(agent.directory, 'managed', 'event');
    expect(existsSync(directory)).toBe(true);
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${id}/settings`,
    });
    await visitor.see('Template and parameters');
    await visitor.fill('title', '@other');
    await visitor.press('Save');
    await visitor.page.locator('input[aria-invalid=true]').waitFor();
    expect(await visitor.barriers('settings')).toEqual([]);
    await visitor.fill('title', 'Rusty Islands');
    await visitor.press('Save');
    await visitor.says('Change the settings: done.');
    expect(await definitionOf(id)).toMatchObject({ version: 2, parameters: { title: 'Rusty Islands' } });
    await visitor.page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();

    await visitor.follow('Overview', visitor.page.getByRole('main'));
    await visitor.follow('Change server');
    await visitor.see('Change server');
    await visitor.section('Times').getByText(tenant.owner.email).waitFor();
    expect(await visitor.barriers('command')).toEqual([]);
    await visitor.follow('event');
    await visitor.follow('Settings');

    await visitor.press('Remove from the host');
    await visitor.page.getByRole('checkbox', { name: 'Delete its directory, too' }).check();
    expect(await visitor.barriers('settings-remove')).toEqual([]);
    await visitor.fill('Type event to confirm', 'event', visitor.dialog);
    await visitor.press('Remove from the host', visitor.dialog);
    await visitor.dialog.nth(1).waitFor();
    await visitor.stepUp();
    await visitor.page.waitForURL(`${world.url}/servers`);
    await world.call('get', `/api/fleet/instances/${id}`, tenant.owner).expect(404);
    expect(existsSync(directory)).toBe(false);
    expect(visitor.faults).toEqual([]);
  });

  it("explain servers of the agent's file, and delete one that is offline, in German", async () => {
    const lost = await createHost(world, tenant, { hostname: 'lost', status: 'offline' });
    const id = await createInstance(world, tenant, { host_id: lost, name: 'old' });
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${id}/settings`,
      locale: 'de',
    });
    await visitor.says('Die Konfigurationsdatei des Agenten legt diesen Server fest.');
    await visitor.press('Aus Gantry löschen');
    expect(await visitor.barriers('settings-de')).toEqual([]);
    await visitor.dialog.getByRole('textbox').fill('old');
    await visitor.press('Aus Gantry löschen', visitor.dialog);
    await visitor.dialog.nth(1).waitFor();
    await visitor.dialog.locator('input[type=password]').fill(password);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.waitForURL(`${world.url}/servers`);
    await world.call('get', `/api/fleet/instances/${id}`, tenant.owner).expect(404);
    expect(visitor.faults).toEqual([]);
  });

  it('are not changed by viewers', async () => {
    const id = await createInstance(world, tenant, { name: 'seen' });
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, {
      email: viewer.email,
      path: `/servers/${id}/settings`,
    });
    await visitor.see('Template and parameters');
    expect(await visitor.page.getByRole('region', { name: 'Remove this server' }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });
});

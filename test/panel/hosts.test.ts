// A host in the panel: its figures, its servers, and those created from its templates.
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { makeRelease } from '../support/agent-release.ts';
import { openBrowser } from '../support/browser.ts';
import { createHost, createInstance, withTemplates } from '../support/rows.ts';
import { World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;
let release: string;

beforeAll(async () => {
  browser = await openBrowser();
  release = await makeRelease('1.4.0');
  world = await World.create({ servesPanel: true, agentReleaseDirectory: release });
});

afterAll(async () => {
  await world.close();
  await rm(release, { recursive: true, force: true });
  await browser.close();
});

const figures = {
  cpu_percent: 34,
  memory_used_bytes: 20_000_000_000,
  memory_total_bytes: 64_000_000_000,
  disk_used_bytes: 900_000_000_000,
  disk_total_bytes: 1_000_000_000_000,
  clock_offset_ms: 40,
  last_heartbeat_at: new Date(Date.now() + 3_600_000),
};

describe('a host of the panel', () => {
  it('creates servers from its templates, and shows its outcome after a reload', async () => {
    const tenant = await world.createTenant();
    const hostId = await createHost(world, tenant, {
      hostname: 'rust-01',
      status: 'online',
      ...figures,
      ...withTemplates,
    });
    await createInstance(world, tenant, { host_id: hostId, name: 'main' });
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/hosts' });
    await visitor.follow('rust-01');
    await visitor.see('rust-01');
    await visitor.section('Servers').getByRole('link', { name: 'main' }).waitFor();
    await visitor.section('Right now').getByText('19 GB of 60 GB').waitFor();
    expect(await visitor.barriers('host')).toEqual([]);
    await visitor.press('Create a server from rust');
    await visitor.fill('Name', 'two words', visitor.dialog);
    await visitor.press('Create a server', visitor.dialog);
    await visitor.dialog.locator('[aria-invalid=true]').waitFor();
    expect(await visitor.barriers('host-create')).toEqual([]);
    await visitor.fill('Name', 'event', visitor.dialog);
    await visitor.press('Create a server', visitor.dialog);
    await visitor.says('A server is being created …');
    await visitor.page.reload();
    await visitor.says('A server is being created …');
    const commandId = new URL(visitor.page.url()).searchParams.get('command');
    await world.database.query(`update command set status = 'expired', finished_at = now() where id = $1`, [
      commandId,
    ]);
    await visitor.says('A server could not be created');
    expect(await visitor.barriers('host-failed')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('is deleted with its servers named, and its key is reset after a step-up', async () => {
    const tenant = await world.createTenant();
    const hostId = await createHost(world, tenant, { hostname: 'rust-02' });
    const instanceId = await createInstance(world, tenant, { host_id: hostId, name: 'main' });
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${instanceId}/settings`,
    });
    await visitor.page.getByRole('group', { name: 'Command that restarts the agent' }).waitFor();
    expect(await visitor.barriers('settings-of-file')).toEqual([]);
    await visitor.follow('Templates of rust-02');
    await visitor.page
      .getByRole('group', { name: 'Example of a template' })
      .getByText('base_directory: /srv/rust')
      .waitFor();
    expect(await visitor.barriers('host-without-templates')).toEqual([]);
    await visitor.follow('Servers', visitor.page.getByRole('navigation'));
    await visitor.follow('Create a server');
    await visitor.see('rust-02');
    await visitor.press('Reset the key');
    await visitor.press('Reset the key', visitor.dialog);
    await visitor.stepUp();
    await visitor.says('A new agent may take this host over');
    await visitor.press('Delete the host');
    await visitor.says('Its server main is deleted from Gantry with its history and commands.');
    expect(await visitor.barriers('host-delete')).toEqual([]);
    await visitor.fill('Type rust-02 to confirm', 'rust-02', visitor.dialog);
    await visitor.press('Delete the host', visitor.dialog);
    await visitor.see('No hosts yet');
    expect(visitor.faults).toEqual([]);
  });

  it('has its agent updated, alone, selected or with all, and shows how that ended', async () => {
    const tenant = await world.createTenant();
    const add = (hostname: string, agent_version: string) =>
      createHost(world, tenant, {
        hostname,
        agent_version,
        platform: 'linux-x64',
        status: 'online',
        ...figures,
      });
    const one = await add('rust-04', '1.3.0');
    for (const [name, version] of [
      ['rust-05', '1.3.0'],
      ['rust-06', '1.4.0'],
    ] as const)
      await add(name, version);
    const end = (status: string, code: string | null) =>
      world.database.query(
        `update command set status = $1, error_code = $2, detail = 'The signature is wrong.', finished_at = now()
         where kind = 'update_agent' and finished_at is null`,
        [status, code],
      );
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/hosts' });
    const underWay = () => visitor.page.getByText(/waits for the agent|updating to 1\.4\.0/);
    await visitor.says('2 agents are outdated');
    expect(await visitor.barriers('hosts-outdated')).toEqual([]);
    await visitor.press('Update all');
    await visitor.dialog.getByText('Each agent downloads version 1.4.0').waitFor();
    expect(await visitor.barriers('hosts-update')).toEqual([]);
    await visitor.press('Update', visitor.dialog);
    await underWay().nth(1).waitFor();
    await end('failed', 'update_failed');
    await visitor.page.reload();
    await visitor.page.getByText('update to 1.4.0 failed').nth(1).waitFor();
    expect(await visitor.barriers('hosts-failed')).toEqual([]);

    await visitor.page.getByRole('checkbox', { name: 'Select rust-05' }).check();
    await visitor.press('Update the agent');
    await visitor.press('Update', visitor.dialog);
    await underWay().waitFor();
    await end('succeeded', null);

    await visitor.follow('rust-04');
    await visitor.says('The agent could not be updated to version 1.4.0');
    await visitor.says('The signature is wrong.');
    await visitor.press('Update the agent');
    await visitor.press('Update', visitor.dialog);
    await underWay().waitFor();
    await world.database.query(`update agent_host set agent_version = '1.4.0' where id = $1`, [one]);
    await end('succeeded', null);
    await visitor.page.reload();
    await visitor.section('Right now').getByText('1.4.0', { exact: true }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Update the agent' }).count()).toBe(0);
    expect(visitor.faults).toEqual([]);
  });

  it('is updated with others from the list of servers, with a result for each', async () => {
    const tenant = await world.createTenant();
    for (const [name, version] of [
      ['old', '1.3.0'],
      ['current', '1.4.0'],
    ] as const) {
      const hostId = await createHost(world, tenant, {
        hostname: `host-${name}`,
        agent_version: version,
        platform: 'linux-x64',
        status: 'online',
        ...figures,
      });
      await createInstance(world, tenant, { host_id: hostId, name: `server-${name}` });
    }
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/servers' });
    await visitor.page.getByRole('checkbox', { name: 'Select server-current' }).check();
    await visitor.press('Restart');
    await visitor.says('Restart server-current?');
    await visitor.press('Cancel', visitor.dialog);
    expect(await visitor.page.getByRole('button', { name: 'Update agents' }).count()).toBe(0);
    await visitor.page.getByRole('checkbox', { name: 'Select server-old' }).check();
    await visitor.press('Update agents');
    await visitor.says('Update the agents of 2 servers?');
    await visitor.press('Update agents', visitor.dialog);
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    const resultOf = (name: string) => results.getByRole('listitem').filter({ hasText: name });
    await resultOf('server-current').getByText('Already current').waitFor();
    await resultOf('server-old').getByText('Queued').waitFor();
    await world.database.query(
      `update command set status = 'failed', error_code = 'update_failed', detail = 'The signature is wrong.',
              finished_at = now() where kind = 'update_agent' and finished_at is null`,
    );
    await visitor.page.reload();
    await resultOf('server-old').getByText('The signature is wrong.').waitFor();
    await visitor.says('2 of 2 finished');
    expect(await visitor.barriers('servers-updated')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('speaks German', async () => {
    const tenant = await world.createTenant();
    const hostId = await createHost(world, tenant, { hostname: 'rust-03', ...figures, ...withTemplates });
    const visitor = await Visitor.open(browser, world, { locale: 'de', path: `/hosts/${hostId}` });
    await visitor.page.getByLabel('E-Mail-Adresse').fill(tenant.owner.email);
    await visitor.page.getByLabel('Passwort', { exact: true }).fill('correct-horse-battery');
    await visitor.press('Anmelden');
    await visitor.see('rust-03');
    expect(await visitor.barriers('host-german')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

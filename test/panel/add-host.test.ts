// Adding a host in the panel: the one line with its code, for each system, until it expires.
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { makeRelease } from '../support/agent-release.ts';
import { createAgentKey } from '../support/agent.ts';
import { openBrowser } from '../support/browser.ts';
import { World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  const release = await makeRelease();
  world = await World.create({ servesPanel: true, agentReleaseDirectory: release });
  world.atEnd(() => rm(release, { recursive: true }));
});
afterAll(async () => {
  await world.close();
  await browser.close();
});

it.each([0, -20, 20])(
  'shows a line for Linux and for Windows with the remaining time, and the host that used it, on a machine %s minutes off',
  async (minutes) => {
    const tenant = await world.createTenant();
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: '/hosts',
    });
    if (minutes !== 0) await visitor.page.clock.install({ time: Date.now() + minutes * 60_000 });
    await visitor.go('/hosts/add?kind=own');
    await visitor.see('Add a host');
    await visitor.press('Create the line');
    const line = visitor.page.getByRole('group', { name: 'Command that starts the agent' });
    const shown = await line.innerText();
    const [, code = ''] = /install\.sh' \| sh -s -- (gantry_enrol_\S+)/.exec(shown) ?? [];
    await visitor.page.getByText(/valid for 1[45]:[0-5]\d\. It installs the agent 0\.1\.0/).waitFor();
    expect(await visitor.barriers('add-host')).toEqual([]);
    await visitor.keepPicture('add-host-line');
    await visitor.page.getByText('Windows', { exact: true }).click();
    expect(await line.innerText()).toContain(`install.ps1'))) ${code}`);

    const host = { hostname: `shown-${minutes + 100}`, agent_version: '0.1.0', platform: 'linux-x64' };
    await world
      .call('post', '/api/agent/enrolment')
      .send({ ...host, code, public_key: createAgentKey().publicKey })
      .expect(200);
    await visitor.says(`${host.hostname} is connected`);
    expect(visitor.faults).toEqual([]);
  },
);

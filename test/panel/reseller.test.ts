// The portal for resellers in the panel: its key, provisioning by hand and from CSV, licenses, and the bill.
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createReseller } from '../support/rows.ts';
import { World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true, roles: ['api'] });
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

async function enter(visitor: Visitor, key: string, isRemembered = false): Promise<void> {
  await visitor.fill('Host key', key);
  if (isRemembered) await visitor.page.getByRole('checkbox').check();
  await visitor.press('Open the portal');
}

const chooseFile = (visitor: Visitor, text: string) =>
  visitor.page.locator('input[type=file]').setInputFiles({
    name: 'servers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });

const licensesOf = async (key: string) => {
  const { body } = await world.call('get', '/api/host/licenses', { token: key }).expect(200);
  return body.data as { server_id: string; status: string }[];
};

describe('the portal for resellers', () => {
  it('asks for the key, provisions one server, and suspends it', async () => {
    const { key } = await createReseller(world);
    const visitor = await Visitor.open(browser, world, { path: '/reseller' });
    await enter(visitor, 'gantry_host_wrong');
    await visitor.says('This key is not accepted.');
    expect(await visitor.barriers('reseller-gate')).toEqual([]);
    await enter(visitor, key);
    await visitor.see('No licenses yet');
    expect(await visitor.barriers('reseller-empty')).toEqual([]);
    await visitor.follow('Provision', visitor.page.getByRole('navigation'));
    await visitor.fill('Server ID', 'srv-1001');
    await visitor.fill('Hostname', '-rust-');
    await visitor.fill("Customer's e-mail address", 'ada@example.com');
    await visitor.press('Provision');
    await visitor.page.locator('input[aria-invalid=true]').waitFor();
    expect(await visitor.barriers('reseller-provision')).toEqual([]);
    expect(await licensesOf(key)).toEqual([]);
    await visitor.fill('Hostname', 'rust-1001.example.net');
    await visitor.press('Provision');
    const token = visitor.page.getByRole('group', { name: 'Token for agents' });
    await token.getByText(/^gantry_companion_/).waitFor();
    const given = await token.innerText();
    expect(await visitor.barriers('reseller-provisioned')).toEqual([]);

    await visitor.follow('Licenses', visitor.page.getByRole('navigation'));
    await visitor.follow('srv-1001');
    await visitor.see('srv-1001');
    await visitor.press('Show');
    expect(await token.innerText()).toBe(given);
    expect(await visitor.barriers('reseller-license')).toEqual([]);
    await visitor.press('Suspend');
    await visitor.press('Suspend', visitor.dialog);
    await visitor.page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    expect(await licensesOf(key)).toMatchObject([{ server_id: 'srv-1001', status: 'suspended' }]);

    await visitor.page.reload();
    await visitor.says('Open the portal');
    expect(
      await visitor.page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain(key);
    expect(visitor.faults).toEqual([]);
  });

  it('provisions the servers of a CSV file, continues after a reload, and retries what failed', async () => {
    const { key } = await createReseller(world);
    const provision = (server_id: string, hostname: string) =>
      world
        .call('post', '/api/host/provision', { token: key })
        .send({ servers: [{ server_id, hostname, customer_email: 'cat@example.com' }] })
        .expect(200);
    await provision('srv-2', 'rust-2.example.net');
    const visitor = await Visitor.open(browser, world, { path: '/reseller/provision' });
    await enter(visitor, key, true);
    await visitor.see('Provision');
    const servers = Array.from({ length: 30 }, (_, number) => `rust-${number + 10}.example.net`);
    const lines = [
      'Host;Mail;Service ID',
      'rust-1.example.net;ada@example.com;srv-1',
      'other.example.net;cat@example.com;srv-2',
      'rust-3.example.net;unknown;srv-3',
      'rust-1.example.net;ada@example.com;srv-1',
      ...servers.map((host, number) => `${host};ben@example.com;srv-${number + 10}`),
    ];
    await chooseFile(visitor, lines.join('\n'));
    await visitor.says('Which column is which?');
    await visitor.page.getByLabel("Customer's e-mail address").selectOption({ label: 'Mail' });
    await visitor.press('Check the rows');
    await visitor.says('Would fail');
    await visitor.says('srv-2 is already provisioned as rust-2.example.net');
    await visitor.says('An earlier line has the same server ID.');
    await visitor.says('3 rows are left out.');
    expect((await licensesOf(key)).length).toBe(1);
    expect(await visitor.barriers('reseller-review')).toEqual([]);

    // The first batch gets through; the response to the second is lost, and the page is closed over it.
    let count = 0;
    await visitor.page.route('**/api/host/provision', async (route) => {
      count += 1;
      if (count === 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await visitor.press('Provision 31 servers');
    await visitor.says('The provisioning was interrupted.');
    expect(await visitor.barriers('reseller-interrupted')).toEqual([]);
    await visitor.page.unroute('**/api/host/provision');
    await visitor.page.reload();
    await visitor.says('The provisioning was interrupted.');
    await visitor.press('Continue');
    await visitor.says('31 servers are done');
    await visitor.says('31 created');
    expect((await licensesOf(key)).length).toBe(25);
    const { body } = await world.call('get', '/api/host/licenses?limit=100', { token: key }).expect(200);
    expect(body.data.length).toBe(32);
    await visitor.press('Load keys and tokens again');
    await visitor.page.getByRole('button', { name: 'Show the access of srv-1', exact: true }).click();
    await visitor.dialog.getByText(/^gantry_companion_/).waitFor();
    expect(await visitor.barriers('reseller-results')).toEqual([]);
    await visitor.page.keyboard.press('Escape');
    const download = visitor.page.waitForEvent('download');
    await visitor.press('Download the results as CSV');
    expect((await download).suggestedFilename()).toBe('licenses.csv');

    await visitor.follow('Bill');
    await visitor.says('so far');
    expect(await visitor.barriers('reseller-bill')).toEqual([]);
    await visitor.press('Sign out');
    await visitor.press('Sign out', visitor.dialog);
    await visitor.says('Open the portal');
    expect(await visitor.page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('gantry-host');
    expect(visitor.faults).toEqual([]);
  });

  it('suspends the selected licenses, names those that are unchanged, and saves what is listed as CSV', async () => {
    const { key } = await createReseller(world);
    const servers = ['srv-1', 'srv-2', 'srv-3', 'srv-4'].map((server_id) => ({
      server_id,
      hostname: `${server_id}.example.net`,
      customer_email: 'ada@example.com',
    }));
    await world.call('post', '/api/host/provision', { token: key }).send({ servers }).expect(200);
    const revoked = await world.database.query<{ id: string }>(
      `update license set status = 'revoked' where id = (
         select license_id from reseller_license where server_id = 'srv-4' and hostname = 'srv-4.example.net'
       ) returning id`,
    );
    expect(revoked.length).toBe(1);
    const visitor = await Visitor.open(browser, world, { path: '/reseller' });
    await enter(visitor, key);
    await visitor.page.getByRole('checkbox', { name: 'Select all' }).check();
    const bar = visitor.page.getByRole('toolbar', { name: 'Selected licenses' });
    expect(await bar.getByRole('button', { name: 'Resume', exact: true }).isDisabled()).toBe(true);
    expect(await visitor.barriers('reseller-selected')).toEqual([]);

    // Two of three requests are lost.
    let count = 0;
    await visitor.page.route('**/api/host/licenses/*', (route) => {
      count += 1;
      return count === 1 ? route.continue() : route.abort();
    });
    await bar.getByRole('button', { name: 'Suspend', exact: true }).click();
    await visitor.says('Suspend 3 licenses?');
    await visitor.press('Suspend', visitor.dialog);
    await visitor.says('2 licenses are unchanged');
    await visitor.says(/^srv-\d: Gantry cannot be reached$/);
    expect(await visitor.barriers('reseller-partly-suspended')).toEqual([]);
    await visitor.says('Suspend 2 licenses?');
    await visitor.page.unroute('**/api/host/licenses/*');
    await visitor.press('Suspend', visitor.dialog);
    await visitor.dialog.waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    const statuses = async () =>
      Object.fromEntries((await licensesOf(key)).map(({ server_id, status }) => [server_id, status]));
    expect(await statuses()).toEqual({
      'srv-1': 'suspended',
      'srv-2': 'suspended',
      'srv-3': 'suspended',
      'srv-4': 'revoked',
    });

    await visitor.page.getByLabel('Status', { exact: true }).selectOption('suspended');
    await visitor.row('srv-4').waitFor({ state: 'detached' });
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Export these as CSV');
    const lines = (await text(await (await saved).createReadStream())).trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(0, 4).join()).toSorted()).toEqual([
      'server_id,hostname,customer_email,status',
      'srv-1,srv-1.example.net,ada@example.com,suspended',
      'srv-2,srv-2.example.net,ada@example.com,suspended',
      'srv-3,srv-3.example.net,ada@example.com,suspended',
    ]);
    expect(visitor.faults).toEqual([]);
  });

  it('retries servers that failed, and asks again for a key that was replaced, in German', async () => {
    const { id, key } = await createReseller(world);
    const visitor = await Visitor.open(browser, world, { path: '/reseller/provision', locale: 'de' });
    await visitor.fill('Schlüssel', key);
    await visitor.press('Portal öffnen');
    await visitor.see('Bereitstellen');
    expect(await visitor.barriers('reseller-de')).toEqual([]);
    // Another program of the reseller takes the server ID between the form and the request.
    await world
      .call('post', '/api/host/provision', { token: key })
      .send({
        servers: [{ server_id: 'srv-7', hostname: 'rust-8.example.net', customer_email: 'ada@example.com' }],
      })
      .expect(200);
    await visitor.fill('Server-ID', 'srv-7');
    await visitor.fill('Hostname', 'rust-7.example.net');
    await visitor.fill('E-Mail-Adresse des Kunden', 'ada@example.com');
    await visitor.press('Bereitstellen');
    await visitor.says('srv-7 is already provisioned as rust-8.example.net');
    await world.database.query(
      `update reseller_license set hostname = 'rust-7.example.net' where server_id = 'srv-7'`,
    );
    await visitor.press('Den fehlgeschlagenen wiederholen');
    await visitor.says('1 gab es schon');
    await visitor.follow('Lizenzen');
    await visitor.row('srv-7').waitFor();
    await world.call('post', `/api/admin/resellers/${id}/rotate-key`, world.admin).expect(200);
    await visitor.follow('Rechnung');
    await visitor.says('Ihr Schlüssel wird nicht mehr angenommen.');
    expect(await visitor.page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('gantry-host');

    // The next reseller at this browser sees nothing of the former one, even before anything is read.
    const next = await createReseller(world);
    await visitor.page.route('**/api/host/licenses?limit=50*', () => undefined);
    await visitor.fill('Schlüssel', next.key);
    await visitor.press('Portal öffnen');
    await visitor.follow('Lizenzen');
    await visitor.see('Lizenzen');
    expect(await visitor.row('srv-7').count()).toBe(0);
    await visitor.follow('Bereitstellen', visitor.page.getByRole('navigation'));
    await visitor.page.getByLabel('Server-ID').waitFor();
    expect(visitor.faults).toEqual([]);
  });
});

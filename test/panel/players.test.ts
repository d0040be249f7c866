// Players in the panel: who is online and known, one player's record, kicks, bans and messages.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

/** The first players of the simulated server. */
const aster = '76561197960287930';
const birch = '76561197960287931';
/** A player who was there yesterday. */
const moss = '76561197960299999';
const hourMs = 3_600_000;

async function reportSession(world: World, { license, owner }: Tenant, steamId: string, name: string) {
  const report = (event: string, ageMs: number) =>
    world
      .call('post', '/api/plugin/player-event')
      .set('X-License-Key', license.key)
      .send({
        instance: 'main',
        steam_id: steamId,
        display_name: name,
        event,
        event_id: randomUUID(),
        occurred_at: new Date(Date.now() - ageMs).toISOString(),
      })
      .expect(200);
  await report('join', 26 * hourMs);
  await report('leave', 24 * hourMs);
  await until(async () => {
    const { body } = await world
      .call('get', `/api/analytics/sessions?steam_id=${steamId}`, owner)
      .expect(200);
    return (body as { data: unknown[] }).data.length > 0;
  }, 'the session');
}

describe('the players of the panel', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;
  let instanceId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
    tenant = await world.createTenant();
    ({ instanceId } = await SimulatedServer.start(world, tenant, ['--players', '5']));
    await reportSession(world, tenant, moss, 'Moss');
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('are found, messaged, kicked, banned with a reason and an end, and let in again', async () => {
    const path = `/servers/${instanceId}/players`;
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path });
    await visitor.row('Aster').waitFor();
    await visitor.row('Elm').waitFor();
    expect(await visitor.barriers('online')).toEqual([]);

    await visitor.page.getByRole('searchbox').fill('bir');
    await visitor.row('Aster').waitFor({ state: 'detached' });
    await visitor.row('Birch').waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?search=bir');
    await visitor.press('Actions for Birch');
    await visitor.page.getByRole('menuitem', { name: 'Kick' }).click();
    await visitor.fill('Reason', 'Idle for an hour', visitor.dialog);
    await visitor.press('Kick', visitor.dialog);
    await visitor.says('Kick Birch: done.');
    await visitor.see('No player matches');

    await visitor.page.getByRole('searchbox').fill('');
    await visitor.follow('Aster');
    await visitor.see('Aster');
    expect(new URL(visitor.page.url()).pathname).toBe(`${path}/${aster}`);
    await visitor.press('Message');
    await visitor.fill('Message', 'Please stop building here', visitor.dialog);
    await visitor.press('Message', visitor.dialog);
    await visitor.says('Message to Aster: done.');

    await visitor.press('Ban');
    // The refusal is shown at its field.
    await visitor.press('Ban', visitor.dialog);
    await visitor.dialog.getByLabel('Reason').and(visitor.page.locator('[aria-invalid=true]')).waitFor();
    expect(await visitor.barriers('ban-dialog')).toEqual([]);
    await visitor.fill('Reason', 'Cheating', visitor.dialog);
    await visitor.dialog.getByLabel('Duration').selectOption('Another time');
    const count = visitor.dialog.getByLabel('Number', { exact: true });
    await count.press('End');
    for (const key of ['Backspace', 'Backspace', '3']) await count.press(key);
    expect(await count.inputValue()).toBe('3');
    await visitor.dialog.getByLabel('Unit').selectOption('Hours');
    await visitor.press('Ban', visitor.dialog);
    await visitor.says('Ban Aster: done.');
    await visitor.says(/^Banned until /);
    await visitor.section('Actions on this server').getByText('Cheating').waitFor();
    // The outcome outlasts a reload.
    await visitor.page.reload();
    await visitor.says('Ban Aster: done.');
    expect(await visitor.barriers('record')).toEqual([]);

    await visitor.fill('New note', 'Watch for aim assistance');
    await visitor.press('Add the note');
    const notes = visitor.page.getByRole('list', { name: 'Notes' });
    await notes.getByText('Watch for aim assistance').waitFor();
    await notes.getByText(tenant.owner.email).waitFor();
    expect(await visitor.page.getByLabel('New note').inputValue()).toBe('');
    expect(await visitor.barriers('notes')).toEqual([]);

    await visitor.follow('All actions');
    await visitor.page.getByRole('table').getByText('Please stop building here').waitFor();
    await visitor.page.getByLabel('Kind of action').selectOption('Ban');
    await visitor.page.getByText('Please stop building here').waitFor({ state: 'detached' });
    await visitor.page.getByRole('table').getByText('Cheating').waitFor();
    expect(await visitor.barriers('actions')).toEqual([]);

    await visitor.page.getByText('Banned', { exact: true }).click();
    await visitor.row(aster).waitFor();
    expect(await visitor.barriers('banned')).toEqual([]);
    // Ended bans are newer than this one, and fill more than a page of the list.
    await world.database.query(
      `insert into player_action (license_id, instance_id, instance_name, steam_id, kind, status, text, ended_at, created_at)
       select license_id, instance_id, instance_name, steam_id, kind, status, 'ended', now(), created_at + number * interval '1 ms'
       from player_action, generate_series(1, 120) number where kind = 'ban' and steam_id = $1`,
      [aster],
    );
    await visitor.page.reload();
    await visitor.row(aster).waitFor();
    await visitor.press(`Lift ban of ${aster}`);
    await visitor.press('Lift ban', visitor.dialog);
    await visitor.see('No bans');
    expect(visitor.faults).toEqual([]);
  });

  it('are known after they left, and can be banned while they are away', async () => {
    const path = `/servers/${instanceId}/players?view=known`;
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path });
    await visitor
      .row('Moss')
      .getByText(/2\s*hr/)
      .waitFor();
    expect(await visitor.barriers('known')).toEqual([]);
    await visitor.page.getByRole('searchbox').fill(birch);
    await visitor.says(`${birch} is not in this list`);
    await visitor.page.getByRole('searchbox').fill('moss');
    await visitor.follow('Moss');
    await visitor.section('Sessions').getByText('in 1 session').waitFor();
    await visitor.page.getByLabel('Period').selectOption('Last 7 days');
    expect(new URL(visitor.page.url()).search).toBe('?days=7');
    expect(await visitor.page.getByRole('button', { name: 'Kick' }).count()).toBe(0);
    await visitor.press('Ban');
    await visitor.fill('Reason', 'Raid on a neighbor', visitor.dialog);
    await visitor.press('Ban', visitor.dialog);
    await visitor.says(/^Banned until /);
    expect(visitor.faults).toEqual([]);
  });

  it('are shown to a viewer without actions, in German too, and explain a server that is stopped', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const path = `/servers/${instanceId}/players`;
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path, locale: 'de' });
    await visitor.row('Cedar').waitFor();
    expect(await visitor.barriers('online-de')).toEqual([]);
    const other = await Visitor.open(browser, world, { email: viewer.email, path });
    await other.row('Cedar').waitFor();
    expect(await other.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await other.follow('Cedar');
    await other.see('Cedar');
    expect(await other.page.getByRole('button', { name: /Ban|Kick|Message|note/ }).count()).toBe(0);
    await world
      .call('post', `/api/instances/${instanceId}/stop`, tenant.owner)
      .set('Prefer', 'wait=10')
      .expect(202);
    await other.go(path);
    await other.see('The server is not running');
    expect(await other.barriers('not-running')).toEqual([]);
    expect([...visitor.faults, ...other.faults]).toEqual([]);
  });
});

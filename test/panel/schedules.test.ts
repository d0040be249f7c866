// Schedules in the panel: built from patterns, previewed, run, changed by two people, and deleted.
import type { Browser } from 'playwright-core';
import { dayKey } from '../../panel/src/calendar/calendar-range.ts';
import { cronOf, patternOf } from '../../panel/src/schedules/cron-pattern.ts';
import { openBrowser } from '../support/browser.ts';
import { createHost, createInstance, createSchedule, createWipe } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { World, type Tenant } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

describe('patterns of cron expressions', () => {
  it.each([
    ['*/15 * * * *', 'minutes'],
    ['30 * * * *', 'hours'],
    ['5 */6 * * *', 'hours'],
    ['30 4 * * *', 'day'],
    ['0 19 * * MON,THU', 'week'],
    ['0 19 * * THU#1', 'monthWeekday'],
    ['0 12 L * *', 'monthDay'],
    ['0 12 15 * *', 'monthDay'],
    ['0 4,16 * * *', 'custom'],
    ['*/7 * * * *', 'custom'],
    ['*/15 4 * * *', 'custom'],
    ['0 5 * JAN *', 'custom'],
    ['0 5 * * MON-FRI', 'custom'],
    ['0 5 15 * FRI', 'custom'],
    ['99 4 * * *', 'custom'],
    ['0 24 * * *', 'custom'],
    ['0 4 0 * *', 'custom'],
  ])('know %s as %s, and write it again', (cron, every) => {
    expect(patternOf(cron).every).toBe(every);
    expect(cronOf(patternOf(cron))).toBe(cron);
  });

  it('write days of the week by their names, Sunday last', () => {
    expect(cronOf(patternOf('0 9 * * 0,5,7,1'))).toBe('0 9 * * MON,FRI,SUN');
  });
});

describe('the schedules of the panel', () => {
  let world: World;
  let browser: Browser;
  let tenant: Tenant;
  let instanceId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true, heartbeatIntervalSeconds: 1 });
    tenant = await world.createTenant();
    ({ instanceId } = await SimulatedServer.start(world, tenant));
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('are built, previewed, run with their outcome, changed and deleted', async () => {
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/servers/${instanceId}/schedules`,
    });
    await visitor.see('No schedules yet');
    expect(await visitor.barriers('no-schedules')).toEqual([]);
    await visitor.follow('New schedule');
    await visitor.fill('Name', 'Nightly save');
    await visitor.page.getByRole('radio', { name: 'Console command' }).check();
    await visitor.page.getByLabel('Console command', { exact: true }).last().fill('server.save');
    await visitor.page.getByLabel('Repeats').selectOption('monthly, on a weekday');
    await visitor.page.getByLabel('Which').selectOption('second');
    await visitor.fill('Time', '21:15');
    await visitor.page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
    await visitor.page.getByRole('option', { name: 'Europe/Berlin' }).click();
    const preview = visitor.section('Next runs');
    await preview.getByText('15 21 * * THU#2').waitFor();
    await preview.getByText(/second Thursday of the month/).waitFor();
    await preview
      .getByText(/^Thu.*9:15\sPM$/)
      .first()
      .waitFor();
    expect(await visitor.barriers('new-schedule')).toEqual([]);
    await visitor.page.getByLabel('Repeats').selectOption('by a cron expression');
    await visitor.fill('Cron expression', '0 0 30 2 *');
    await visitor.says('Cannot be used: is never due');
    expect(await visitor.barriers('never-due')).toEqual([]);
    await visitor.fill('Cron expression', '* * *');
    await visitor.says('An expression has five parts, such as 30 4 * * *.');
    await visitor.fill('Cron expression', '0 6 * * MON-FRI');
    await preview.getByText(/Monday through Friday/).waitFor();
    await visitor.press('Create the schedule');

    await visitor.see('Nightly save');
    await visitor.press('Run now');
    await visitor.dialog.getByText(/server\.save/).waitFor();
    await visitor.press('Run now', visitor.dialog);
    const runs = visitor.page.getByRole('table', { name: 'Runs' });
    await runs.getByText(/Sent|Succeeded/).waitFor();
    await visitor.page.reload();
    await runs.getByText(/Sent|Succeeded/).waitFor();
    expect(await visitor.barriers('schedule')).toEqual([]);

    await visitor.follow('Edit');
    await visitor.fill('Name', 'Morning save');
    const [{ id } = { id: '' }] = await world.database.query<{ id: string }>('select id from schedule');
    await world.call('patch', `/api/schedules/${id}`, tenant.owner).send({ cron: '0 7 * * *' }).expect(200);
    await visitor.says('Someone else has saved in the meantime');
    expect(await visitor.barriers('schedule-conflict')).toEqual([]);
    await visitor.press('Keep mine');
    await visitor.press('Save');
    await visitor.see('Morning save');
    await visitor.says('0 6 * * MON-FRI');

    await visitor.press('Delete');
    await visitor.fill('Type Morning save to confirm', 'Morning save', visitor.dialog);
    await visitor.press('Delete', visitor.dialog);
    await visitor.see('No schedules yet');
    expect(visitor.faults).toEqual([]);
  });

  it('wipe at the forced time, restart with a countdown, and show the fault of a field', async () => {
    const visitor = await Visitor.open(browser, world, {
      email: tenant.owner.email,
      path: `/schedules/new?server=${instanceId}&kind=wipe`,
    });
    await visitor.fill('Name', 'Forced wipe');
    await visitor.press("Rust's forced wipe");
    await visitor.section('Next runs').getByText('Europe/London').waitFor();
    await visitor.page.getByLabel('Countdown').selectOption('3600');
    await visitor.fill('Announcement in the game', 'say;quit');
    await visitor.press('Create the schedule');
    await visitor.says(/required form/);
    await visitor.fill('Announcement in the game', 'New map in {time}');
    expect(await visitor.barriers('new-wipe-schedule')).toEqual([]);
    await visitor.press('Create the schedule');
    await visitor.see('Forced wipe');
    const { body } = await world.call('get', '/api/schedules', tenant.owner).expect(200);
    expect(body.data).toMatchObject([
      {
        cron: '0 19 * * THU#1',
        time_zone: 'Europe/London',
        action: {
          kind: 'wipe',
          wipe: { kind: 'map', random_seed: true, countdown_seconds: 3600, message: 'New map in {time}' },
        },
      },
    ]);

    await visitor.go('/schedules/new');
    await visitor.fill('Name', 'Nightly restart');
    await visitor.page.getByText('10 sec', { exact: true }).click();
    await visitor.section('Next runs').getByText('The server restarts in 15 minutes.').waitFor();
    expect(await visitor.barriers('new-restart')).toEqual([]);
    await visitor.press('Create the schedule');
    await visitor.see('Nightly restart');
    await visitor.follow('Schedules', visitor.page.getByRole('main'));
    const table = visitor.page.getByRole('table', { name: 'Schedules' });
    await table.getByText('Forced wipe').waitFor();
    expect(await visitor.barriers('schedules')).toEqual([]);
    await visitor.page.getByRole('switch', { name: 'Nightly restart is enabled' }).press('Space');
    await visitor.page.getByRole('switch', { name: 'Nightly restart is enabled', checked: false }).waitFor();
    await visitor.page.getByLabel('Action').selectOption('Wipe');
    await table.getByText('Nightly restart').waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?kind=wipe');
    expect(visitor.faults).toEqual([]);
  });

  it('are in the calendar with the wipes, by month, by week and as a list', async () => {
    const now = new Date();
    await createWipe(world, tenant, {
      instance_id: instanceId,
      status: 'completed',
      begun_at: now.toISOString(),
      finished_at: now.toISOString(),
    });
    await createSchedule(world, tenant, {
      instance_id: instanceId,
      name: 'Rules',
      action: { kind: 'announcement', message: 'Be kind to each other.' },
      cron: '*/30 * * * *',
      next_run_at: new Date(Math.ceil(now.getTime() / 1_800_000) * 1_800_000).toISOString(),
    });
    await createSchedule(world, tenant, {
      instance_id: instanceId,
      name: 'Nightly backup',
      action: { kind: 'backup', keep_last: 7 },
      cron: '0 3 * * *',
      next_run_at: new Date(now.getTime() + 86_400_000).toISOString(),
    });
    const visitor = await Visitor.open(browser, world, { email: tenant.owner.email, path: '/calendar' });
    const month = visitor.page.getByRole('table', { name: 'Calendar' });
    await month
      .getByRole('link', { name: /Map wipe.*succeeded/ })
      .first()
      .waitFor();
    await visitor.says('Not every run is shown');
    await visitor.section('Not every run is shown').getByRole('link', { name: 'Rules' }).waitFor();
    expect(await visitor.barriers('calendar-month')).toEqual([]);
    await visitor.press('Later');
    await month
      .getByRole('link', { name: /Nightly backup.*to come/ })
      .first()
      .waitFor();
    await visitor.press('Today');
    await visitor.page.getByText('Week', { exact: true }).click();
    await visitor.page.getByRole('heading', { level: 3 }).nth(6).waitFor();
    // The last evening of a week has no two runs left.
    await visitor.go(`/calendar?view=week&date=${dayKey(now.getTime() + 86_400_000)}`);
    await visitor.page
      .getByRole('link', { name: /Rules ×/ })
      .first()
      .waitFor();
    expect(await visitor.barriers('calendar-week')).toEqual([]);
    await visitor.page.getByLabel('Kind').selectOption('Wipe');
    await visitor.page.getByRole('link', { name: /Rules/ }).waitFor({ state: 'detached' });
    await visitor.press('Today');
    await visitor.page.getByText('List', { exact: true }).click();
    expect(new URL(visitor.page.url()).search).toBe('?view=list&kind=wipe');
    await visitor.page.getByRole('link', { name: /Map wipe/ }).click();
    await visitor.says('The wipe is complete');
    expect(visitor.faults).toEqual([]);
  });

  it('are created on several servers at once, with a result for each', async () => {
    const several = await world.createTenant();
    const host_id = await createHost(world, several, { hostname: 'rust-01' });
    const ids = [];
    for (const name of ['east', 'north', 'west'])
      ids.push(await createInstance(world, several, { host_id, name }));
    const [east = '', north = '', west = ''] = ids;
    const visitor = await Visitor.open(browser, world, {
      email: several.owner.email,
      path: `/schedules/new?server=${east}&kind=start`,
    });
    await visitor.says('Enter a name, choose a server, and fill in what the action needs.');
    const alsoOn = visitor.page.getByRole('combobox', { name: 'Also on' });
    for (const name of ['north', 'west']) {
      await alsoOn.click();
      await visitor.page.getByRole('listbox', { name: 'Also on' }).getByRole('option', { name }).click();
    }
    await visitor.page.keyboard.press('Escape');
    await visitor.fill('Name', 'Morning start');
    expect(await visitor.barriers('new-on-several')).toEqual([]);
    // One of them disappears before the schedules are created.
    await world.database.query('delete from game_instance where id = $1', [north]);
    // The responses for another one are lost, so that it is created without a result.
    let areLost = true;
    await visitor.page.route('**/api/schedules', async (route) => {
      const sent = route.request().postDataJSON() as { instance_id: string } | null;
      if (!areLost || sent?.instance_id !== west) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await visitor.press('Create the schedule');
    const results = visitor.page.getByRole('list', { name: 'Result for each server' });
    await results.getByText('Refused').nth(1).waitFor();
    await results.getByText('Created').waitFor();
    areLost = false;
    // The repetition finds it, and does not create another one.
    await visitor.press('Create the schedule');
    await results.getByText('Created').nth(1).waitFor();
    expect(await visitor.barriers('several-results')).toEqual([]);
    const { body } = await world.call('get', '/api/schedules', several.owner).expect(200);
    expect(body.data).toHaveLength(2);
    expect(visitor.faults).toEqual([]);
  });

  it('offer a viewer nothing that changes them, also in German', async () => {
    const viewer = await world.addMember(tenant, 'Viewer');
    const visitor = await Visitor.open(browser, world, {
      email: viewer.email,
      path: '/schedules',
    });
    const table = visitor.page.getByRole('table', { name: 'Schedules' });
    await table.getByRole('link', { name: 'Forced wipe' }).waitFor();
    expect(await visitor.page.getByRole('switch').count()).toBe(0);
    expect(await visitor.page.getByRole('link', { name: 'New schedule' }).count()).toBe(0);
    await table.getByRole('link', { name: 'Forced wipe' }).click();
    await visitor.see('Forced wipe');
    expect(await visitor.page.getByRole('button', { name: /Run now|Delete|Disable/ }).count()).toBe(0);
    await visitor.page.evaluate(`localStorage.setItem('gantry-language', 'de')`);
    await visitor.go('/calendar');
    await visitor.see('Kalender');
    await visitor.page
      .getByRole('link', { name: /Forced wipe/ })
      .first()
      .waitFor();
    expect(await visitor.barriers('calendar-de')).toEqual([]);
    await visitor.go('/schedules');
    await visitor.page
      .getByText(/erste[rn]? Donnerstag/i)
      .first()
      .waitFor();
    expect(await visitor.barriers('schedules-de')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

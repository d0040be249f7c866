// The pages of figures, logs and ports in a real browser.
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../../local-manager/src/pages/page-build.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { ManagerPage } from './support/page.ts';

const patienceMs = 300_000;

/** Whether the chart drew anything besides its background. */
const inked = `(() => {
  const canvas = document.querySelector('section canvas');
  if (canvas === null) return false;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, index) => index % 4 === 3 && value > 0);
})()`;

describe('the pages of figures and logs', () => {
  let browser: Browser;
  let at: ManagerPage;

  beforeAll(async () => {
    await preparePage(() => undefined, pino({ level: 'error' }));
    browser = await openBrowser();
    at = await ManagerPage.open(browser, { begins: 'ready' });
    await at.at.done('/api/battlegroup/start');
  }, patienceMs);

  afterAll(async () => {
    await at.close();
    await browser.close();
  });

  afterEach(() => expect(at.faults).toEqual([]));

  const sample = async () => {
    at.at.manager.services.status.forget();
    await at.at.manager.services.monitoring.sample();
  };

  it(
    'show figures as charts and as tables, with crashes and their reasons',
    async () => {
      await at.go('Monitoring');
      await at.says('Nothing is recorded yet');
      const { cluster } = at.at.world;
      cluster.servers.players.set('Survival_1', 4);
      await sample();
      cluster.crash('Survival_1', 'OOMKilled', 137);
      await sample();
      await at.page.getByRole('radiogroup', { name: 'Period' }).getByText('1 hour').click();
      await at.panel('Starts, stops and crashes').getByText('OOMKilled, exit code 137').waitFor();
      const players = at.panel('Players');
      await players.getByRole('img', { name: /Survival_1|Overmap/ }).waitFor();
      await until(() => at.page.evaluate<boolean>(inked), 'the chart to be drawn');
      await players.getByRole('radiogroup', { name: 'View of Players' }).getByText('Table').click();
      const row = players.getByRole('row').nth(1);
      expect(await row.getByRole('cell').allInnerTexts()).toEqual([expect.any(String), '0', '4']);
      expect(await at.barriers('the figures')).toEqual([]);
      expect(await at.wideAt320()).toEqual([]);
    },
    patienceMs,
  );

  it(
    'search a log, also that from before a crash',
    async () => {
      await at.go('Logs');
      const log = at.page.getByRole('log', { name: 'Lines of the log' });
      await log.getByText('LogInit: Display: Starting Game.').waitFor();
      await at.page.getByLabel('Log of').selectOption({ label: 'Survival_1 (restarted once)' });
      await log.getByText('Survival_1 up for play').waitFor();
      await at.page.getByLabel('Search').fill('PORT');
      await at.press('Search');
      await at.says('1 line with “PORT”.');
      await at.page.getByLabel('Before the last restart').check();
      await at.page.getByLabel('Search').fill('out of memory');
      await at.press('Search');
      await log.getByText('Ran out of memory').waitFor();
      expect(await at.barriers('the logs')).toEqual([]);
      expect(await at.wideAt320()).toEqual([]);
    },
    patienceMs,
  );

  it(
    'check the ports, and warn of a public address that has changed',
    async () => {
      // A private address, as the stand-ins advertise it, is not watched.
      await at.at.post('/api/server-visibility', { advertisedIp: '203.0.113.9' });
      await at.go('Automation');
      await at.page.getByLabel('When the public address changes').selectOption('warn');
      await at.press('Save');
      await until(
        async () => (await at.at.get('/api/automation')).body.automation.addressWatch.mode === 'warn',
        'the setting',
      );
      await at.at.manager.services.automation.tick();
      await at.go('Visibility');
      await at.alert('The public address has changed');
      await at.press('Check from this host');
      await at.panel('Check the ports').getByText('Unknown').first().waitFor();
      await at.says('can only be proven from outside');
      expect(await at.barriers('the checked ports')).toEqual([]);
      expect(await at.wideAt320()).toEqual([]);
      await at.press('Write 203.0.113.7');
      await until(
        async () => (await at.at.get('/api/server-visibility')).body.advertisedIp === '203.0.113.7',
        'the new address',
      );
      await at.page.getByText('The public address has changed').waitFor({ state: 'detached' });
    },
    patienceMs,
  );
});

// Messages that the manager's page shows beside an error, and its confirmations.
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../../local-manager/src/pages/page-build.ts';
import { wrongNumber } from '../../local-manager/web/src/game-config/drafts.ts';
import { openBrowser } from '../support/browser.ts';
import { ManagerPage } from './support/page.ts';

const patienceMs = 240_000;
const phone = { width: 390, height: 844 };

describe('a typed number', () => {
  const decimal = { type: 'decimal', minimum: 0, maximum: 1000 } as const;

  it.each(['1,5', '1.234,5', '1e3', '1001', '-1', ''])('is invalid with %j', (typed) => {
    expect(wrongNumber(decimal, typed)).toEqual(expect.any(String));
  });

  it.each(['1.5', '0', '1000', null])('is valid with %j', (typed) => {
    expect(wrongNumber(decimal, typed)).toBeUndefined();
  });
});

describe('the page over a running world', () => {
  let browser: Browser;
  let at: ManagerPage;

  beforeAll(async () => {
    await preparePage(() => undefined, pino({ level: 'error' }));
    browser = await openBrowser();
    at = await ManagerPage.open(browser, { begins: 'ready' });
  }, patienceMs);

  afterAll(async () => {
    await at.close();
    await browser.close();
  });

  it(
    'shows an invalid setting at its field, and asks before unsaved changes are left',
    async () => {
      await at.go('Game Config');
      const port = at.page.getByLabel('First game port');
      await port.fill('99999');
      await at.says('From 1024 to 65535.');
      expect(await port.getAttribute('aria-invalid')).toBe('true');
      await at.press('Save');
      expect(await at.hasFocus(port)).toBe(true);
      const leave: Record<string, () => Promise<unknown>> = {
        link: () => at.page.getByRole('link', { name: 'Visibility' }).click(),
        back: () => at.page.evaluate('history.back()'),
      };
      for (const [way, go] of Object.entries(leave)) {
        const asked = at.page.waitForEvent('dialog');
        const gone = go();
        await (await asked).dismiss();
        await gone;
        await at.see('Game Config');
        expect({ way, port: await port.inputValue() }).toEqual({ way, port: '99999' });
      }
      await at.press('Undo');
      await at.page.evaluate('history.back()');
      await at.see('Dashboard');
    },
    patienceMs,
  );

  it(
    'fits a phone with its ports and the list of a reset',
    async () => {
      await at.go('Visibility');
      await at.panel('Ports to forward').waitFor();
      expect(await at.fits(phone)).toBe(true);
      const copy = at.page.getByRole('button', { name: 'Copy port 31982 TCP' });
      const box = await copy.boundingBox();
      expect((box?.x ?? phone.width) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
      await at.go('Dashboard');
      await at.press('Show what would be deleted');
      await at.page.getByRole('cell', { name: 'D:\\DuneAwakeningServer', exact: true }).waitFor();
      expect(await at.fits(phone)).toBe(true);
    },
    patienceMs,
  );

  it(
    'asks before the network is restarted while players are online',
    async () => {
      await at.at.done('/api/battlegroup/start');
      await at.page.goto(`${at.at.manager.url}/#/setup/network`);
      await at.see('Set up the network');
      await at.press('Set up the network');
      await at.page.getByRole('dialog').getByText('reverts').waitFor();
      expect((await at.at.get('/api/operations')).body.data[0].kind).toBe('startBattlegroup');
    },
    patienceMs,
  );
});

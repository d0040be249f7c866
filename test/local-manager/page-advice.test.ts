// Messages that the manager's page shows beside an error, and its confirmations.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../../local-manager/src/pages/page-build.ts';
import { wrongNumber } from '../../local-manager/web/src/game-config/drafts.ts';
import { keygen } from '../../local-manager/stand-ins/guest.ts';
import { openBrowser } from '../support/browser.ts';
import { ManagerPage } from './support/page.ts';

const patienceMs = 240_000;
const phone = { width: 390, height: 844 };
const tabs = [
  ...['Dashboard', 'Setup', 'Game Config', 'Visibility', 'Monitoring', 'Logs', 'Backups', 'Automation'],
  ...['Characters', 'Diagnostics'],
];

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
      await at.page.getByRole('dialog').getByText('returns to the old one').waitFor();
      expect((await at.at.get('/api/operations')).body.data[0].kind).toBe('startBattlegroup');
      await at.page.keyboard.press('Escape');
      await at.page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    patienceMs,
  );

  it.each(tabs)(
    'fits a screen of 320 px: %s',
    async (tab) => {
      await at.go(tab);
      await at.page.getByRole('status', { name: /^Waiting for/ }).waitFor({ state: 'detached' });
      expect(await at.fits({ width: 320, height: 640 })).toBe(true);
    },
    patienceMs,
  );

  it(
    'words a problem of the input for people',
    async () => {
      await at.page.goto(`${at.at.manager.url}/#/setup/security`);
      const password = at.page.getByLabel('New password');
      await password.fill('short');
      await at.page.evaluate(`document.querySelector('input[minlength]').removeAttribute('minlength')`);
      await at.press('Lock it');
      await at.says('New password must have at least 10 characters.');
      expect(await at.page.getByText(/must NOT|\/newPassword/).count()).toBe(0);
    },
    patienceMs,
  );

  it(
    'starts the virtual machine with chosen memory, and keeps it on request',
    async () => {
      await at.page.setViewportSize({ width: 1280, height: 860 });
      await at.at.done('/api/vm/stop');
      await at.go('Dashboard');
      await at.page.getByLabel('Memory for this start').selectOption('32');
      await at.press('Start VM');
      await at.says('Memory for this start only');
      await at.press('Keep 32 GB');
      await at.page.getByText('Memory for this start only').waitFor({ state: 'detached' });
      expect((await at.at.status()).vm).toMatchObject({ configuredMemoryGB: 32, isMemoryTemporary: false });
    },
    patienceMs,
  );

  it(
    'offers ways in when the key is lost, and deletes nothing for it',
    async () => {
      rmSync(at.at.world.keyFile);
      await at.alert('The SSH key is missing');
      expect(await at.barriers('a lost key')).toEqual([]);
      await at.page.getByLabel('With the key in the vendor’s package').check();
      await at.press('Get in');
      await at.page.getByText('The SSH key is missing').waitFor({ state: 'detached' });
      expect((await at.at.status()).ssh.state).toBe('ready');
    },
    patienceMs,
  );

  it(
    'shows both host keys, and accepts the new one',
    async () => {
      await at.at.world.guest.off();
      keygen(join(at.at.world.folder, 'host-key'));
      await at.at.world.guest.on();
      await at.alert('The virtual machine’s identity has changed');
      expect(await at.page.getByText(/^SHA256:/).count()).toBe(2);
      expect(await at.barriers('another host key')).toEqual([]);
      await at.pressAndConfirm('Accept the new host key', 'Accept');
      await at.page.getByText('The virtual machine’s identity has changed').waitFor({ state: 'detached' });
    },
    patienceMs,
  );
});

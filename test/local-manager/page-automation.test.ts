// The pages of schedules, warnings, mail and updates in a real browser.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../../local-manager/src/pages/page-build.ts';
import { openBrowser } from '../support/browser.ts';
import { MailServer } from '../support/mail-server.ts';
import { ManagerPage } from './support/page.ts';

const patienceMs = 300_000;

describe('the pages of what the manager does by itself', () => {
  const mails = new MailServer();
  let browser: Browser;
  let releases: Server;
  let release: string;
  let at: ManagerPage;

  beforeAll(async () => {
    await preparePage(() => undefined, pino({ level: 'error' }));
    await mails.start();
    release = '{"version":"0.9.0"}';
    releases = createServer((_request, response) => response.end(release)).listen(0, '127.0.0.1');
    await once(releases, 'listening');
    browser = await openBrowser();
    const updateUrl = `http://127.0.0.1:${(releases.address() as AddressInfo).port}/release.json`;
    at = await ManagerPage.open(browser, { begins: 'ready', updateUrl });
  }, patienceMs);

  afterAll(async () => {
    await at.close();
    await browser.close();
    releases.close();
    await mails.stop();
  });

  afterEach(() => expect(at.faults).toEqual([]));

  const test = (name: string, work: () => Promise<void>) => it(name, work, patienceMs);
  /** Labels of required fields end with a star. */
  const field = (label: string) => at.page.getByLabel(new RegExp(`^${label}( \\*)?$`));
  const saved = async () => (await at.at.get('/api/automation')).body.automation;
  const save = async () => {
    await at.press('Save');
    await at.page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  };

  test('save a schedule and its warnings, and undo what was typed', async () => {
    await at.go('Automation');
    await at.press('Add a schedule');
    await field('Action').selectOption('restart');
    await field('Time').fill('05:15');
    await field('Warn players').check();
    await field('Minutes before').fill('20, 10');
    await field('Message').fill('Restart in {minutes} min');
    await field('Game token').fill('built-in');
    await save();
    expect(await saved()).toMatchObject({
      schedules: [{ action: 'restart', time: '05:15', isEnabled: true }],
      warnings: {
        isEnabled: true,
        minutes: [20, 10],
        text: 'Restart in {minutes} min',
        authToken: '•••',
      },
    });
    await field('Minutes before').fill('7');
    await at.press('Undo');
    expect(await field('Minutes before').inputValue()).toBe('20, 10');
    await at.says(/^Next: /);
    expect(await at.page.content()).not.toContain('built-in');
  });

  test('show a refused minute and a refused address at their fields', async () => {
    await field('Minutes before').fill('500');
    await at.press('Save');
    await at.says('must be at most 120');
    expect((await saved()).warnings.minutes).toEqual([20, 10]);
    await at.press('Undo');
    await at.page.getByText('must be at most 120').first().waitFor({ state: 'detached' });
  });

  test('send a test by mail, and report a server that refuses it', async () => {
    await field('Send mail').check();
    await field('Mail server').fill('127.0.0.1');
    await field('Encryption').selectOption('none');
    await field('Mail server port').fill(new URL(mails.url).port);
    await field('From').fill('sietch@example.org');
    await field('To').fill('admin@example.org');
    expect(await at.page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);
    await save();
    await at.press('Send a test');
    await at.says('mail: This is a test of the local manager.');
    expect(mails.messages).toEqual([expect.stringContaining('To: admin@example.org')]);
    mails.refusal = 550;
    await at.press('Send a test');
    await at.says(/mail was not notified: .*status 550/);
    expect(await at.barriers('the automation')).toEqual([]);
    expect(await at.wideAt320()).toEqual([]);
  });

  test('name failed operations in words', async () => {
    at.at.world.failures.set('backup', { lines: ['Killed'], exitCode: 137 });
    await at.at.done('/api/battlegroup/backup');
    await at.page.reload();
    await at
      .panel('What happened')
      .getByText(/^.*Back up battlegroup failed at “.+”: /)
      .first()
      .waitFor();
  });

  test('check for a newer version on request, and link to it', async () => {
    await at.go('Diagnostics');
    await at.says('This is the newest version.');
    release = 'no JSON';
    await at.press('Check now');
    await at.says('The file does not name a version in the expected format.');
    release = '{"version":"99.0.0","url":"https://example.org/download","notes":"Faster <b>backups</b>."}';
    await at.press('Check now');
    await at.says('Version 99.0.0 is available; the dashboard has its link.');
    expect(await at.barriers('the version')).toEqual([]);
    await at.go('Dashboard');
    await at.alert('Version 99.0.0 of the local manager is available');
    await at.says('Faster <b>backups</b>.');
    const link = at.page.getByRole('link', { name: 'Open its page' });
    expect(await link.getAttribute('href')).toBe('https://example.org/download');
    expect(await at.barriers('a newer version')).toEqual([]);
  });

  test('fit narrow screens and have no barriers: backups', async () => {
    await at.go('Backups');
    await at.says('None yet.');
    expect(await at.barriers('the backups')).toEqual([]);
    expect(await at.wideAt320()).toEqual([]);
  });
});

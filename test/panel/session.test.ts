// Signing in to the panel, and everything before it: the first user, invitations, passwords and second factors.
import type { Browser } from 'playwright-core';
import { generate } from 'otplib';
import { pino } from 'pino';
import { openBrowser } from '../support/browser.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { password, World } from '../support/world.ts';
import { Visitor } from './support/panel.ts';

const nextPassword = 'four quiet lakes behind a fence';

describe('the panel before anyone has used it', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await World.create({ servesPanel: true, withoutFirstUser: true });
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('leads from the printed link to the command that adds a host', async () => {
    const { firstUser } = world.platform;
    if (firstUser.kind !== 'setup-token') throw new Error('there is no setup token');
    const visitor = await Visitor.open(browser, world);
    await visitor.see('Set up Gantry');
    await visitor.says(/a line “Create the first user”/);
    expect(await visitor.barriers('setup-without-link')).toEqual([]);
    expect(await visitor.page.content()).not.toContain(firstUser.token);
    await visitor.go(`/setup#${firstUser.token}`);
    await visitor.page.reload();
    await visitor.see('Set up Gantry');
    expect(await visitor.barriers('setup')).toEqual([]);
    await visitor.fill('E-mail address', 'owner');
    await visitor.fill('New password', 'aaaaaaaaaaaa');
    await visitor.press('Create the account');
    await visitor.says('Enter an e-mail address, such as ada@example.com.');
    await visitor.fill('E-mail address', 'owner@example.com');
    await visitor.press('Create the account');
    await visitor.says(/easy to guess|guess/);
    await visitor.fill('New password', nextPassword);
    await visitor.press('Create the account');
    await visitor.see('Create your license');
    expect(await visitor.barriers('new-license')).toEqual([]);
    await visitor.fill('Name', 'Northern servers');
    await visitor.press('Create the license');
    await visitor.see('Add a host');
    await visitor.says(/GANTRY_COMPANION_TOKEN='gantry_companion_/);
    expect(await visitor.barriers('add-host')).toEqual([]);
    // Nothing secret is left in the browser's storage.
    const stored = await visitor.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    for (const secret of [firstUser.token, nextPassword, 'gantry_companion_'])
      expect(stored).not.toContain(secret);
    expect(await visitor.page.evaluate('Object.keys(localStorage)')).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });
});

describe('signing in', () => {
  let world: World;
  let browser: Browser;
  const logged: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
    world = await World.create({ servesPanel: true, log });
  });

  afterAll(async () => {
    await world.close();
    await browser.close();
  });

  it('returns to the wanted page, lasts through a reload and in other tabs, and ends in all of them', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { path: '/hosts?search=north' });
    await visitor.see('Sign in');
    expect(await visitor.barriers('sign-in')).toEqual([]);
    await visitor.fill('E-mail address', owner.email);
    await visitor.fill('Password', 'not the password');
    await visitor.press('Sign in');
    await visitor.page.getByRole('alert').waitFor();
    await visitor.signIn(owner.email);
    expect(new URL(visitor.page.url()).pathname).toBe('/hosts');
    await visitor.page.reload();
    await visitor.see('Hosts');
    const tab = await visitor.openTab('/account');
    await tab.getByRole('heading', { name: 'Your account' }).waitFor();
    await tab.getByText('Chrome on Linux').waitFor();
    await visitor.page.getByRole('button', { name: /Account menu/ }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.see('Sign in');
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(visitor.faults).toEqual([]);
  });

  it('continues in the license of the last work, and opens an address in another license', async () => {
    const [first, second] = [await world.createTenant(), await world.createTenant()];
    await world.join(second, first.owner.email, 'Head Admin');
    const hostId = await createHost(world, second, { hostname: 'north-of-the-second' });
    const instanceId = await createInstance(world, second, { host_id: hostId, name: 'islands' });
    const visitor = await Visitor.open(browser, world, {
      email: first.owner.email,
      path: `/servers/${instanceId}`,
    });
    await visitor.see('Not found');
    expect(await visitor.barriers('other-license')).toEqual([]);
    await visitor.press(`Open in ${second.license.name}`);
    await visitor.see('islands');
    expect(new URL(visitor.page.url()).pathname).toBe(`/servers/${instanceId}`);
    const elsewhere = await Visitor.open(browser, world, { email: first.owner.email });
    await elsewhere.row('islands').waitFor();
    expect([...visitor.faults, ...elsewhere.faults]).toEqual([]);
  });

  it('opens the API documentation with its token, which no server, Referer or address keeps', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/hosts' });
    const context = visitor.page.context();
    const tokens = new Set<string>();
    const requests: string[] = [];
    context.on('request', (request) => {
      const { authorization = '', referer = '' } = request.headers();
      if (authorization !== '') tokens.add(authorization.replace('Bearer ', ''));
      requests.push(request.url(), referer);
    });
    await visitor.page.reload();
    await visitor.see('Hosts');
    await visitor.page.getByRole('button', { name: /Account menu/ }).click();
    const opened = context.waitForEvent('page');
    await visitor.page.getByRole('menuitem', { name: 'API documentation' }).click();
    const docs = await opened;
    const dialog = docs.getByRole('dialog', { name: 'Use the credential of this link?' });
    await dialog.getByText(`of the user ${owner.email}`).waitFor();
    await dialog.getByRole('button', { name: 'Use it' }).click();
    expect(docs.url()).toBe(`${world.url}/api/docs`);
    await docs.goto(`${world.url}/api/docs/try/getCurrentUser`);
    await docs
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    const response = docs.waitForResponse(`${world.url}/auth/me`);
    await docs.getByRole('button', { name: /^Send/ }).first().click();
    expect((await response).status()).toBe(200);
    expect(await docs.evaluate('opener')).toBeNull();
    const stored = await visitor.page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage })',
    );
    // Playwright shows the fragment of the first address, which browsers do not send.
    const sent = requests.filter((text) => !text.startsWith(`${world.url}/api/docs#`));
    const kept = [...sent, ...logged, stored].join('\n');
    expect(tokens.size).toBeGreaterThan(0);
    expect([...tokens].filter((token) => kept.includes(token))).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('asks for a code of the second factor that the account page set up', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/account' });
    await visitor.see('Your account');
    expect(await visitor.barriers('account')).toEqual([]);
    await visitor.press('Set it up');
    await visitor.stepUp();
    const secret =
      (await visitor.page.getByRole('group', { name: 'Secret' }).locator('pre').textContent()) ?? '';
    await visitor.page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await visitor.fill('Six digits', '000000');
    await visitor.press('Turn it on');
    await visitor.says(/code/i);
    await visitor.fill('Six digits', await generate({ secret }));
    await visitor.press('Turn it on');
    const kept = visitor.page.getByRole('group', { name: 'Keep your recovery codes' });
    await kept.waitFor();
    const codes = await kept.getByRole('listitem').allTextContents();
    expect(codes.length).toBeGreaterThan(5);
    expect(await visitor.barriers('recovery-codes')).toEqual([]);
    await visitor.press('I have kept the codes');
    await visitor.page.getByRole('button', { name: 'Turn it off' }).waitFor();

    const other = await Visitor.open(browser, world);
    await other.fill('E-mail address', owner.email);
    await other.fill('Password', password);
    await other.press('Sign in');
    await other.fill('Code of your authenticator app', codes[0] ?? '');
    expect(await other.barriers('second-factor')).toEqual([]);
    await other.press('Continue');
    await other.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect([...visitor.faults, ...other.faults]).toEqual([]);
  });

  it('continues a page whose session has ended, without losing what was typed', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { email: owner.email, path: '/account' });
    await visitor.fill('Current password', password);
    await visitor.fill('New password', nextPassword);
    // The owner's other session signs this one out.
    await world.call('delete', '/auth/sessions', owner).expect(204);
    await visitor.press('Change the password');
    await visitor.dialog.getByRole('heading', { name: 'Sign in again' }).waitFor();
    // A browser lets a page refuse one of them only.
    for (const key of ['Escape', 'Escape', 'Escape']) await visitor.page.keyboard.press(key);
    expect(await visitor.barriers('session-ended')).toEqual([]);
    await visitor.fill('Password', password, visitor.dialog);
    await visitor.press('Sign in', visitor.dialog);
    await visitor.says('Your password is changed. All other sessions have ended.');
    await visitor.dialog.waitFor({ state: 'detached' });
    await world.call('post', '/auth/login').send({ email: owner.email, password: nextPassword }).expect(200);
    expect(visitor.faults).toEqual([]);
  });

  it('follows the links of mails: a forgotten password and an invitation', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world);
    await visitor.follow('Forgot your password?');
    // The page before has a field of the same name.
    await visitor.see('Reset your password');
    await visitor.fill('E-mail address', owner.email);
    await visitor.press('Send the link');
    await visitor.says(/a message is on its way/);
    const reset = await world.mailTo(owner.email);
    await visitor.page.goto(new URL(reset.link, world.url).href);
    await visitor.see('Choose a new password');
    expect(await visitor.barriers('reset-password')).toEqual([]);
    await visitor.fill('New password', nextPassword);
    await visitor.press('Set the password');
    await visitor.follow('Sign in');
    await visitor.signIn(owner.email, nextPassword);

    const email = 'invited@example.com';
    const host = await world.createTenant();
    const roles = await world.call('get', '/api/roles', host.owner).expect(200);
    const { id } = (roles.body as { data: { id: string; name: string }[] }).data.find(
      ({ name }) => name === 'Viewer',
    ) ?? { id: '' };
    await world.call('post', '/api/team/invitations', host.owner).send({ email, role_id: id }).expect(201);
    const invitation = await world.mailTo(email);
    const guest = await Visitor.open(browser, world, {
      path: new URL(invitation.link).pathname + new URL(invitation.link).hash,
    });
    await guest.see('Accept the invitation');
    expect(await guest.barriers('accept-invitation')).toEqual([]);
    await guest.fill('Password for a new account', nextPassword);
    await guest.press('Accept');
    await guest.see(/You are a member of .* as Viewer/);
    await guest.follow('Sign in');
    await guest.signIn(email, nextPassword);
    expect(guest.faults).toEqual([]);
    expect(visitor.faults).toEqual([]);
  });

  it('speaks the language of the browser, and another one on request', async () => {
    const { owner } = await world.createTenant();
    const visitor = await Visitor.open(browser, world, { locale: 'de-DE' });
    await visitor.see('Anmelden');
    await visitor.page.getByLabel('Sprache').selectOption('English');
    await visitor.see('Sign in');
    await visitor.signIn(owner.email);
    await visitor.page.reload();
    await visitor.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en');
  });
});

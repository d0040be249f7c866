// The pages of mailed links in a real browser.
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { World } from '../support/world.ts';

const nextPassword = 'sturdy-goose-lantern';

describe('the pages of mailed links', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.create({ roles: ['api', 'jobs'] });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** Opens the link; fails when the page violates its own policy. */
  async function open(link: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    await page.goto(link);
    return { page, faults };
  }

  const noteOf = async (page: Page) => {
    const note = page.getByRole('status');
    await note.filter({ hasText: /\S/ }).waitFor();
    return note.textContent();
  };

  it("/reset-password sets the password with the link's token and removes the token from the address bar", async () => {
    const email = await world.createUser();
    await world.call('post', '/auth/forgot-password').send({ email }).expect(202);
    const { page, faults } = await open((await world.mailTo(email)).link);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByLabel('New password').fill('password12345');
    await page.getByRole('button', { name: 'Set the password' }).click();
    expect(await noteOf(page)).toContain('commonly used');
    await page.getByLabel('New password').fill(nextPassword);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('You can sign in with the new password').waitFor();
    expect(page.url()).toBe(`${world.url}/reset-password`);
    expect(requests.filter((url) => url.includes('gantry_password'))).toEqual([]);
    expect(faults).toEqual([]);
    await world.call('post', '/auth/login').send({ email, password: nextPassword }).expect(200);
    await page.close();
  });

  it('/accept-invitation sends the token, and a password only if one is chosen', async () => {
    const { page, faults } = await open(`${world.url}/accept-invitation#gantry_invitation_of_a_test`);
    const bodies: unknown[] = [];
    await page.route('**/auth/invitations/accept', async (route) => {
      bodies.push(route.request().postDataJSON());
      await route.fulfill(
        bodies.length === 1
          ? { status: 401, json: { detail: 'No such invitation.' } }
          : { status: 200, json: {} },
      );
    });
    await page.getByRole('button', { name: 'Accept' }).click();
    expect(await noteOf(page)).toBe('No such invitation.');
    await page.getByLabel('Password of your new account').fill(nextPassword);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('You can sign in now').waitFor();
    const token = 'gantry_invitation_of_a_test';
    expect(bodies).toEqual([{ token }, { token, password: nextPassword }]);
    expect(faults).toEqual([]);
    await page.close();
  });
});

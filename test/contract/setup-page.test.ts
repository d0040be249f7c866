// The page behind the one-time setup link, in a real browser.
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { password, signIn, World } from '../support/world.ts';

describe('/setup', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.create({ roles: ['api'], withoutFirstUser: true });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function submit(token: string, prepare: (page: Page) => Promise<unknown> = async () => undefined) {
    const page = await browser.newPage();
    await page.goto(`${world.url}/setup#${token}`);
    await prepare(page);
    await page.getByLabel('E-mail address').fill('First@Example.com');
    await page.getByLabel('Password, at least 12 characters').fill(password);
    const button = page.getByRole('button', { name: 'Create the user' });
    await button.click();
    const note = page.getByRole('status');
    await note.filter({ hasText: /\S/ }).waitFor();
    const text = (await note.textContent()) ?? '';
    const mayTryAgain = (await button.isVisible()) && (await button.isEnabled());
    await page.close();
    return { text, mayTryAgain };
  }

  it('creates the first user with the token of the link, once', async () => {
    const { firstUser } = world.platform;
    if (firstUser.kind !== 'setup-token') throw new Error('a world without a first user prints a setup link');
    expect((await submit('not-the-token-of-the-link')).text).toContain('setup link is no longer valid');
    expect(await submit(firstUser.token)).toMatchObject({
      text: expect.stringContaining('You can sign in now'),
      mayTryAgain: false,
    });
    expect((await signIn(world.url, 'first@example.com')).session.license_id).toBeNull();
    expect((await submit(firstUser.token)).text).toContain('already has its first user');
  });

  it('reports that the server is offline, and can be used again', async () => {
    const away = await submit('some-token', (page) => page.context().setOffline(true));
    expect(away).toEqual({
      text: 'Gantry cannot be reached. Check that the server is running, then try again.',
      mayTryAgain: true,
    });
  });

  it("reports a proxy's error response", async () => {
    const { text, mayTryAgain } = await submit('some-token', (page) =>
      page.route('**/auth/bootstrap', (route) =>
        route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
      ),
    );
    expect(text).toContain('status 502');
    expect(mayTryAgain).toBe(true);
  });
});

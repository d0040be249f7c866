// /api/docs in a real browser: it renders the operations with resources of this server only.
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { World } from '../support/world.ts';

describe('/api/docs', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.create({ roles: ['api'] });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('renders every tag under its policy without requests to another server', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    await page.route('**', async (route) => {
      if (route.request().url().startsWith(world.url)) return route.continue();
      elsewhere.push(route.request().url());
      return route.abort();
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const response = await page.goto(`${world.url}/api/docs`);
    expect(response?.headers()['content-security-policy']).toContain(`script-src 'self' 'sha256-`);
    await page.getByText('Gantry platform API').first().waitFor();
    for (const [tag, summary] of [
      ['Power', 'Start an instance'],
      ['Authentication', 'Sign in'],
      ['Hosts', 'List hosts'],
    ] as const) {
      await page
        .getByRole('button', { name: `Open Group - ${tag}` })
        .first()
        .click();
      await page.getByText(summary).first().waitFor();
    }
    expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
    const shot = process.env['GANTRY_SCREENSHOT'];
    if (shot !== undefined) await page.screenshot({ path: shot });
  });

  it('serves the same document in 3.1 and 3.0', async () => {
    const documents = await Promise.all(
      ['openapi.json', 'openapi-3.0.json'].map(
        async (file) =>
          (await fetch(`${world.url}/api/${file}`)).json() as Promise<{ openapi: string; paths: object }>,
      ),
    );
    expect(documents.map(({ openapi }) => openapi)).toEqual(['3.1.0', '3.0.3']);
    expect(Object.keys(documents[0]?.paths ?? {})).toEqual(Object.keys(documents[1]?.paths ?? {}));
  });
});

// The same client in a real browser, from the same files with only types removed.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Client from '../../client/src/index.ts';
import { openBrowser } from '../support/browser.ts';
import { password, World, type Tenant } from '../support/world.ts';

const root = resolve(import.meta.dirname, '../..');
const packages = {
  'p-retry': 'node_modules/p-retry/index.js',
  'is-network-error': 'node_modules/is-network-error/index.js',
};

describe('the client in a browser', () => {
  let world: World;
  let tenant: Tenant;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.create({ roles: ['api'] });
    tenant = await world.createTenant();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('signs in, renews its session once and iterates over a list', async () => {
    const page = await browser.newPage();
    const imports = Object.fromEntries(
      Object.entries(packages).map(([name, path]) => [name, `/at-test/${path}`]),
    );
    await page.route('**/at-test/**', (route) => {
      const path = new URL(route.request().url()).pathname.slice('/at-test/'.length);
      if (path === 'page')
        return route.fulfill({
          contentType: 'text/html',
          body: `<script type="importmap">${JSON.stringify({ imports })}</script>`,
        });
      const text = readFileSync(resolve(root, path), 'utf8');
      return route.fulfill({
        contentType: 'text/javascript',
        body: path.endsWith('.ts') ? stripTypeScriptTypes(text) : text,
      });
    });
    await page.goto(`${world.url}/at-test/page`);
    const seen = await page.evaluate(
      async ({ baseUrl, credentials, path }) => {
        // Pages over plain HTTP from another host do not have it.
        Object.defineProperty(crypto, 'randomUUID', { value: undefined });
        // Pages over plain HTTP from another host do not have it.
        Object.defineProperty(crypto, 'randomUUID', { value: undefined });
        const { createClient } = (await import(path)) as typeof Client;
        let refreshes = 0;
        const client = createClient({
          baseUrl,
          fetch: (request) => {
            if (request.url.endsWith('/auth/refresh')) refreshes += 1;
            return fetch(request);
          },
        });
        const { data } = await client.POST('/auth/login', { body: credentials });
        if (data.session === null) throw new Error('no session');
        await client.session.start({ ...data.session, access_token: 'expired', expires_in: 3600 });
        const made = await Promise.all(
          ['one', 'two', 'three'].map((name) => client.POST('/api/fleet/clusters', { body: { name } })),
        );
        const names: string[] = [];
        for await (const { name } of client.each('/api/fleet/clusters', { params: { query: { limit: 2 } } }))
          names.push(name);
        return { refreshes, made: made.length, names: names.toSorted() };
      },
      {
        baseUrl: world.url,
        credentials: { email: tenant.owner.email, password },
        path: '/at-test/client/src/index.ts',
      },
    );
    expect(seen).toEqual({ refreshes: 1, made: 3, names: ['one', 'three', 'two'] });
    await page.close();
  });
});

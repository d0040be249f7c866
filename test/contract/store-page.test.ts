// The store pages in a real browser: from a visit to the delivery on the simulated server, with hostile
// texts.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { desk, openBrowser, openPage, overflowOf, phone } from '../support/browser.ts';
import { createStoreCategory } from '../support/rows.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { openStore, order, sell, settle, someSteamId, storeInput, storePath } from '../support/store.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';
import { patient } from '../support/patience.ts';

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe('/store/{subdomain}', () => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.create({
      heartbeatIntervalSeconds: 1,
      jobIntervals: {
        chores: { 'send deliveries': 50, 'find players of deliveries': 100, 'give up orders': 100 },
      },
    });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const open = (tenant: Tenant, rest = '', options: BrowserContextOptions = {}) =>
    openPage(browser, `${world.url}/store/${tenant.license.subdomain}${rest}`, options);

  async function newStore(values: Parameters<typeof openStore>[2] = {}): Promise<Tenant> {
    const tenant = await world.createTenant();
    await openStore(world, tenant, values);
    return tenant;
  }

  const add = (page: Page, name: string) =>
    page
      .locator('li', { has: page.getByRole('heading', { name, exact: true }) })
      .getByRole('button')
      .click();

  const buy = async (page: Page, steamId: string) => {
    await page.getByLabel('SteamID64').fill(steamId);
    await page.getByRole('button', { name: 'Order and pay' }).click();
  };

  const ordersOf = (tenant: Tenant) =>
    world.database.query<{ id: string; steam_id: string }>(
      'select id, steam_id from store_order where license_id = $1',
      [tenant.license.id],
    );

  it('leads from a visit to the delivery on the server', async () => {
    const tenant = await newStore({ terms: 'No refunds.\nReally.' });
    const server = await SimulatedServer.start(world, tenant);
    const ranks = await createStoreCategory(world, tenant, { name: 'Ranks', description: 'Colours' });
    const vip = await sell(world, tenant, {
      name: 'VIP',
      category_id: ranks,
      limit_per_player: 1,
      instance_ids: [server.instanceId],
      delivery_commands: ['inventory.giveto {steam_id} vip'],
    });
    await sell(world, tenant, {
      name: 'Gold & glory',
      description: 'For VIPs.',
      price: '0.10',
      required_item_ids: [vip.id],
      instance_ids: [server.instanceId],
      delivery_commands: ['inventory.giveto {steam_id} gold'],
    });
    const steamId = someSteamId();
    const { page, faults } = await open(tenant);
    await page.getByRole('heading', { name: 'Ranks' }).waitFor();
    expect(await page.title()).toBe('Rusty Islands');
    expect(await page.locator('#test').innerText()).toContain('no money is charged');
    expect(await page.locator('#categories').innerText()).toContain('Needs: VIP.');
    await add(page, 'VIP');
    await add(page, 'VIP');
    await page.getByText('at most 1 of VIP').waitFor();
    await add(page, 'Gold & glory');
    await page.getByLabel('How many of Gold & glory').fill('3');
    await page.getByLabel('How many of Gold & glory').blur();
    const total = page.locator('#total', { hasText: /^\$10\.29$/ });
    await total.waitFor();
    await page.reload();
    await total.waitFor();
    await buy(page, '12345678901234567');
    await page.getByText('This is not the SteamID64').waitFor();
    const email = page.getByLabel('E-mail for a receipt');
    expect(await email.getAttribute('aria-describedby')).toBe('email-help');
    expect(await page.locator('#email-help').innerText()).toContain('Used to send you the receipt');
    await email.fill('no address');
    await buy(page, steamId);
    await page.getByText('This is not an e-mail address').waitFor();
    await email.fill('aster@example.com');
    await buy(page, steamId);
    await page.getByText('Agree to the terms of the store first.').waitFor();
    expect(await ordersOf(tenant)).toEqual([]);
    await page.getByText('Terms of this store', { exact: true }).click();
    expect(await page.locator('#terms').innerText()).toBe('No refunds.\nReally.');
    await page.getByLabel('I agree').check();
    expect(await page.getByText('Agree to the terms of the store first.').count()).toBe(0);
    await page.getByRole('button', { name: 'Order and pay' }).dblclick();
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    await page.getByText('This order can be paid until').waitFor();
    const [bought, ...others] = await ordersOf(tenant);
    expect([bought?.steam_id, others]).toEqual([steamId, []]);
    expect(page.url()).toBe(`${world.url}/store/${tenant.license.subdomain}?order=${bought?.id ?? ''}`);
    await page.getByRole('button', { name: 'Pay without money' }).click();
    await page.getByText('Paid and delivered.').waitFor({ timeout: patient(60_000) });
    expect(server.given().toSorted()).toEqual(
      ['vip', 'gold', 'gold', 'gold'].map((item) => `${steamId} ${item}`).toSorted(),
    );
    expect(await page.getByText('Delivered: 3 of 3').count()).toBe(1);
    expect((await world.mailTo('aster@example.com')).text).toContain('Total: 10.29 USD');
    await page.getByRole('link', { name: 'Back to the store' }).click();
    await page.getByText('The basket is empty.').waitFor();
    // The next user of the browser may be another person.
    expect(await page.getByLabel('E-mail for a receipt').inputValue()).toBe('');
    await add(page, 'VIP');
    await page.getByLabel('I agree').check();
    await page.getByRole('button', { name: 'Order and pay' }).click();
    await page.getByText('A player can have at most 1 of VIP, including unpaid orders.').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  }, 180_000);

  it('orders once despite a lost response, a reload or two windows', async () => {
    const tenant = await newStore();
    const item = await sell(world, tenant);
    const { page } = await open(tenant);
    await add(page, item.name);
    let isLost = true;
    await page.route('**/purchase', async (route) => {
      const response = await route.fetch();
      if (isLost) await route.abort();
      else await route.fulfill({ response });
    });
    await page.getByLabel('E-mail for a receipt').fill('aster@example.com');
    await buy(page, someSteamId());
    await page.getByText('the order is not placed twice').waitFor();
    await page.reload();
    await page.getByLabel(`How many of ${item.name}`).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Order and pay' }).click();
    await other.getByText('This order can be paid until').waitFor();
    isLost = false;
    await page.getByText('The basket is empty.').waitFor();
    expect(await ordersOf(tenant)).toHaveLength(1);
    await other.getByRole('button', { name: 'Decline' }).click();
    await other.getByText('The payment has failed.').waitFor();
    await page.context().close();
  });

  it('explains refusals, and removes items that are no longer sold', async () => {
    const tenant = await newStore();
    const [rare, gone, needy] = [
      await sell(world, tenant, { name: 'Rare', limit_total: 1 }),
      await sell(world, tenant, { name: 'Gone' }),
      await sell(world, tenant, { name: 'Needed' }),
    ];
    await sell(world, tenant, { name: 'Needy', required_item_ids: [needy.id] });
    const { page } = await open(tenant);
    await add(page, 'Rare');
    await order(world, tenant, [{ item_id: rare.id, quantity: 1 }]);
    await buy(page, someSteamId());
    await page.getByText('The remaining stock of Rare is too small; order fewer.').waitFor();
    await page.getByRole('button', { name: 'Remove Rare' }).click();
    await add(page, 'Needy');
    await buy(page, someSteamId());
    await page.getByText('Needy requires another item; buy that item first.').waitFor();
    await page.getByRole('button', { name: 'Remove Needy' }).click();
    await add(page, 'Gone');
    await world
      .call('delete', `/api/webstore/items/${gone.id}`, tenant.owner)
      .set('If-Match', '"1"')
      .expect(204);
    await buy(page, someSteamId());
    await page.getByText('no longer for sale').waitFor();
    await until(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Rare' }).waitFor();
      return (await page.getByText('The basket is empty.').isVisible()) || undefined;
    }, 'the basket to be empty');
    await page.context().close();
  });

  it('reports what could not be delivered, and stops polling once nothing can change', async () => {
    const tenant = await newStore();
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 2 }]);
    await settle(world, tenant, id);
    const { page, faults } = await open(tenant, `?order=${id}`);
    await page.getByText('Delivered: 0 of 2. What has not arrived waits').waitFor();
    const end = page.getByText(
      'Paid. Delivered: 1 of 2. 1 could not be delivered: ask the owner of the store.',
      { exact: true },
    );
    await world.database.query(
      `update store_delivery set next_attempt_at = null, finished_at = now(),
         status = case unit when 1 then 'failed' else 'delivered' end where order_id = $1`,
      [id],
    );
    await end.waitFor();
    await page.clock.install();
    await page.reload();
    await end.waitFor();
    let questions = 0;
    page.on('request', () => (questions += 1));
    await page.clock.runFor(60_000);
    expect(questions).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows names of a license or a player as plain text', async () => {
    const tenant = await newStore({ name: `Shop ${markup}`, terms: markup });
    const category = await createStoreCategory(world, tenant, {
      name: `Ranks ${markup}`,
      description: markup,
    });
    const name = `Item ${markup}`;
    const item = await sell(world, tenant, {
      name,
      description: `# No heading\n${markup}`,
      category_id: category,
    });
    const { page, faults } = await open(tenant);
    await page.getByRole('heading', { name }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Shop ${markup}`);
    expect(await page.title()).toBe(`Shop ${markup}`);
    await add(page, name);
    expect(await page.locator('img, main script, iframe').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    const { page: result, faults: others } = await open(tenant, `?order=${id}`);
    await result.getByText(`1 × ${name}`).waitFor();
    expect(await result.locator('img, main script, iframe').count()).toBe(0);
    expect(others).toEqual([]);
    await result.context().close();
  });

  it("loads pictures from the license's URL without a referrer", async () => {
    const asked: (string | undefined)[] = [];
    const pictures = createServer((request, response) => {
      asked.push(request.headers.referer);
      response.setHeader('content-type', 'image/svg+xml');
      response.end('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>');
    }).listen(0, '127.0.0.1');
    await once(pictures, 'listening');
    const tenant = await newStore();
    await sell(world, tenant, { image_url: 'https://pictures.test/vip.svg' });
    const { page, faults } = await open(tenant, '', { viewport: desk.viewport ?? null });
    await page.getByRole('heading', { level: 3 }).waitFor();
    await page.route('https://pictures.test/**', async (route) =>
      route.fulfill({
        response: await route.fetch({
          url: `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/`,
          headers: route.request().headers(),
        }),
      }),
    );
    await page.reload();
    await until(() => asked.length, 'the picture');
    expect(asked).toEqual([undefined]);
    expect(await page.locator('img').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
    pictures.closeAllConnections();
    pictures.close();
  });

  it('redirects to the provider once, and only to a web address', async () => {
    const tenant = await newStore();
    const { id } = await order(world, tenant, [{ item_id: (await sell(world, tenant)).id, quantity: 1 }]);
    const { page, faults } = await open(tenant);
    await page.route('https://checkout.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Checkout</title>' }),
    );
    let url: string | null = null;
    await page.route(`**/orders/${id}`, async (route) => {
      const response = await route.fetch();
      const purchase = (await response.json()) as object;
      await route.fulfill({ response, json: { ...purchase, provider: 'stripe', checkout_url: url } });
    });
    await page.goto(`${page.url()}?order=${id}#pay`);
    await page.getByText('Checking with the payment provider…').waitFor();
    url = 'https://checkout.test/1';
    await page.waitForURL('https://checkout.test/1');
    expect(await page.title()).toBe('Checkout');
    await page.goBack();
    const pay = page.getByRole('link', { name: 'Pay' });
    await pay.waitFor();
    expect(await pay.getAttribute('href')).toBe(url);
    expect(page.url()).toBe(`${world.url}/store/${tenant.license.subdomain}?order=${id}`);
    expect(await page.getByRole('button', { name: 'Pay without money' }).isVisible()).toBe(false);
    url = 'javascript:document.title=3';
    await pay.waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('returns 404 for an unknown or disabled store, whose orders stay visible', async () => {
    const tenant = await newStore();
    const { id } = await order(world, tenant, [{ item_id: (await sell(world, tenant)).id, quantity: 1 }]);
    await settle(world, tenant, id, 'failed');
    const path = `/store/${tenant.license.subdomain}`;
    const { headers } = await world.call('get', path).expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=5' });
    await world.call('get', path).set('If-None-Match', String(headers['etag'])).expect(304);
    const { body } = await world.call('get', '/api/webstore/config', tenant.owner).expect(200);
    await world
      .call('put', '/api/webstore/config', tenant.owner)
      .set('If-Match', `"${(body as { version: number }).version}"`)
      .send(storeInput({ is_enabled: false }))
      .expect(200);
    await until(async () => (await world.call('get', path)).status === 404, 'the store to be closed');
    for (const missing of [
      '/store/no-such-store',
      '/store/%3Cb%3E',
      '/store/..%2F',
      `${path}?order=1`,
      `${path}?order=0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01`,
      `/store/no-such-store?order=${id}`,
    ]) {
      const { text } = await world.call('get', missing).expect(404);
      expect(text).toContain('Not found');
    }
    const { page } = await open(tenant, `?order=${id}`);
    await page.getByText('The payment has failed.').waitFor();
    expect(await page.getByRole('link', { name: 'Back' }).count()).toBe(0);
    await page.context().close();
    await world.call('get', storePath(tenant)).expect(404);
  });

  it.each([
    ['a phone by day', { ...phone, colorScheme: 'light' }, '#ffffff', '#777777'],
    ['a phone by night', { ...phone, colorScheme: 'dark' }, '#101418', '#d9481f'],
    ['a desk by day', { ...desk, colorScheme: 'light' }, '#ffe000', '#fff0aa'],
    ['a desk by night', { ...desk, colorScheme: 'dark' }, '#808080', '#7f7f7f'],
  ] as const)('is accessible on %s', async (_name, options, background, accent) => {
    const tenant = await newStore({ theme: { background, accent, text: accent }, terms: 'Terms.' });
    const category = await createStoreCategory(world, tenant, { name: 'Ranks', description: 'Colours' });
    const item = await sell(world, tenant, { name: 'VIP', category_id: category, limit_per_player: 2 });
    await sell(world, tenant, { name: 'W'.repeat(100), description: 'm'.repeat(400) });
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    for (const [rest, text] of [
      ['', 'VIP'],
      [`?order=${id}`, '1 × VIP'],
      ['-not', 'Not found'],
    ] as const) {
      const { page } = await open(tenant, rest, { ...options, bypassCSP: true });
      await page.getByText(text).first().waitFor();
      if (rest === '') {
        for (const name of ['VIP', 'W'.repeat(100)]) await add(page, name);
        await page.getByText('Terms of this store', { exact: true }).click();
        await page.getByRole('button', { name: 'Order and pay' }).click();
      }
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.context().close();
    }
  });
});

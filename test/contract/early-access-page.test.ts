// The page behind the link of a signup for early access, in a real browser.
import type { Browser } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { openBrowser, openPage, overflowOf, phone } from '../support/browser.ts';
import { World } from '../support/world.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ roles: ['api', 'jobs'] });
});

afterAll(async () => {
  await browser.close();
  await world.close();
});

it('confirms the address with the token of the link, and removes it from the address bar', async () => {
  const email = 'early@example.com';
  await world.call('post', '/api/early-access').send({ email, server_count: 4 }).expect(202);
  const { link } = await world.mailTo(email);
  const { page, faults } = await openPage(browser, link, { ...phone, bypassCSP: false });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('You have a place in the Founding Admin Program').waitFor();
  expect(page.url()).toBe(`${world.url}/early-access`);
  expect(await overflowOf(page)).toBe(0);
  expect(requests).toEqual([`${world.url}/api/early-access/confirmations`]);
  expect(faults).toEqual([]);
});

it('shows a refusal, and that the platform cannot be reached, and can be used again', async () => {
  const { page } = await openPage(browser, `${world.url}/early-access#no-such-token`, { bypassCSP: true });
  const button = page.getByRole('button', { name: 'Confirm' });
  await button.click();
  await page.getByText(/no longer valid|expired|unknown/i).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.context().setOffline(true);
  await button.click();
  await page.getByText('Gantry cannot be reached').waitFor();
  expect(await button.isEnabled()).toBe(true);
});

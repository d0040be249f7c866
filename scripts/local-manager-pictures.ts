// Makes the pictures of docs/local-manager.md from stand-in worlds: `npm run local-manager:pictures [-- NAME…]`.
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { preparePage } from '../local-manager/src/pages/page-build.ts';
import type { WorldOptions } from '../local-manager/stand-ins/world.ts';
import { openBrowser } from '../test/support/browser.ts';
import { ManagerPage } from '../test/local-manager/support/page.ts';

const folder = resolve(import.meta.dirname, '../docs/images');
const wanted = process.argv.slice(2);
const hourMs = 60 * 60_000;

async function picture(
  browser: Browser,
  name: string,
  world: WorldOptions,
  prepare: (at: ManagerPage) => Promise<void>,
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const at = await ManagerPage.open(browser, world);
  try {
    await prepare(at);
    await at.page.screenshot({ path: join(folder, `local-manager-${name}.png`), animations: 'disabled' });
    console.log(name);
  } finally {
    await at.close();
  }
}

/** A day of figures, with players who come and go and a crash. */
async function record({ at }: ManagerPage): Promise<void> {
  await at.done('/api/battlegroup/start');
  const { monitoring, status } = at.manager.services;
  const { servers } = at.world.cluster;
  for (let hoursAgo = 24; hoursAgo >= 0; hoursAgo -= 1) {
    const players = Math.round(5 + 3 * Math.sin(hoursAgo / 3) + Math.sin(hoursAgo));
    servers.players.set('Survival_1', players).set('Overmap', Math.round(players / 3));
    if (hoursAgo === 8) at.world.cluster.crash('Survival_1', 'OOMKilled', 137);
    status.forget();
    await monitoring.sample(new Date(Date.now() - hoursAgo * hourMs));
  }
}

await preparePage(console.log, pino({ level: 'error' }));
const browser = await openBrowser();
try {
  await picture(browser, 'dashboard', { begins: 'ready', pace: 1 }, async (at) => {
    await at.press('Start');
    await at.says('Starting');
    await at.says('Wait until it can be reached');
  });
  await picture(browser, 'retry-start', { begins: 'imported', memoryUsedGB: 60 }, async (at) => {
    await at.press('Start VM');
    await at.alert('The host has too little memory');
  });
  await picture(browser, 'setup', { begins: 'empty', pace: 0.5 }, async (at) => {
    await at.page.getByRole('link', { name: 'Begin the setup' }).click();
    await at.press('Import');
    await at.page
      .getByText(/\b[3-9]\d %/)
      .first()
      .waitFor();
  });
  await picture(browser, 'game-config', { begins: 'ready' }, async (at) => {
    await at.page.emulateMedia({ colorScheme: 'dark' });
    await at.go('Game Config');
    await at.says('Mining output');
  });
  await picture(browser, 'monitoring', { begins: 'ready' }, async (at) => {
    await record(at);
    await at.go('Monitoring');
    await at.page.getByRole('radiogroup', { name: 'Period' }).getByText('24 hours').waitFor();
    await at.page.locator('section canvas').nth(1).waitFor();
  });
  await picture(browser, 'phone', { begins: 'ready' }, async (at) => {
    await at.at.done('/api/battlegroup/start');
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.panel('Battlegroup').getByText('Healthy').waitFor();
  });
} finally {
  await browser.close();
}

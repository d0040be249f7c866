// (g) The public status, which is kept for some seconds, against a bare Express handler that sends the same bytes.
import pg from 'pg';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';
import { prepareFleet } from './support/fleet.ts';
import { connections, load } from './support/load.ts';

const rounds = 5;

const environment = await openEnvironment();
const children: Child[] = [];
try {
  const platform = await start('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api'],
  });
  await prepareFleet(platform.ready.url, environment.databaseUrl);
  await showEverything(environment.databaseUrl);
  for (const limit of [25, 100]) await compare(platform, `/api/public/status?limit=${limit}`);
} finally {
  for (const child of children) await child.stop();
  await environment.stop();
}

async function compare(platform: Child, path: string): Promise<void> {
  const ours = { url: platform.ready.url + path, headers: {} };
  const text = await (await fetch(ours.url)).text();
  const bare = await start('servers/bytes.ts', { text });
  const theirs = { url: bare.ready.url + path, headers: {} };
  if ((await (await fetch(theirs.url)).text()) !== text)
    throw new Error('the servers do not answer the same bytes');
  const figures: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
  for (const target of [ours, theirs]) await load(target);
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(await load(ours));
    figures.theirs.push(await load(theirs));
  }
  printComparison({
    name: `GET ${path}, ${Buffer.byteLength(text).toLocaleString('en')} bytes, ${connections} connections`,
    baseline: 'bare Express, the same bytes',
    unit: 'requests/s',
    ours: figures.ours,
    theirs: figures.theirs,
    aim: '≥ 0.7',
  });
}

/** Each of the 21 licenses shows its 200 servers to everybody. */
async function showEverything(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into site_config (license_id, is_public, is_listed_by_default) select id, true, true from license`,
  );
  await client.end();
}

async function start(program: string, settings: unknown): Promise<Child> {
  const child = await startChild(program, settings);
  children.push(child);
  return child;
}

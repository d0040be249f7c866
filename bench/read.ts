// (a) A list with sign-in, validation and row level security, compared with a bare Express handler with the
// same SQL.
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { median, printComparison, refuseMissed } from './support/figures.ts';
import { prepareFleet } from './support/fleet.ts';
import { connections, load } from './support/load.ts';

const rounds = 5;
const path = '/api/fleet/instances?limit=25';

const environment = await openEnvironment();
const children: Child[] = [];
try {
  const platform = await start('servers/platform.ts', { ...shared(), roles: ['api'] });
  const { token, licenseId } = await prepareFleet(platform.ready.url, environment.databaseUrl);
  const bare = await start('servers/bare.ts', { databaseUrl: environment.databaseUrl, licenseId });
  const padded = await start('servers/platform.ts', { ...shared(), roles: ['api'], paths: 300 });
  const ours = { url: platform.ready.url + path, headers: { authorization: `Bearer ${token}` } };
  const wide = { url: `${padded.ready.url}${path}`, headers: ours.headers };
  const theirs = { url: bare.ready.url + path, headers: {} };
  const bodies = await Promise.all(
    [ours, wide, theirs].map(async ({ url, headers }) => (await fetch(url, { headers })).text()),
  );
  if (new Set(bodies).size !== 1) throw new Error('the servers do not return the same bytes');

  const figures: Record<'ours' | 'wide' | 'theirs', number[]> = { ours: [], wide: [], theirs: [] };
  for (const target of [ours, theirs, wide]) await load(target);
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(await load(ours));
    figures.theirs.push(await load(theirs));
    figures.wide.push(await load(wide));
  }
  printComparison({
    name: `GET ${path}, ${connections} connections`,
    baseline: 'bare Express, the same SQL, the same bytes',
    unit: 'requests/s',
    ours: figures.ours,
    theirs: figures.theirs,
    aim: '≥ 0.5, goal 0.8',
  });
  const cost = figures.ours.map((value, index) => value / (figures.wide[index] ?? NaN));
  console.log(`  with 300 paths in the contract: ${median(cost).toFixed(2)} times the cost   aim ≤ 1.10`);
  refuseMissed(median(cost) > 1.1);
} finally {
  for (const child of children) await child.stop();
  await environment.stop();
}

function shared(): object {
  return JSON.parse(environment.settings) as object;
}

async function start(program: string, settings: unknown): Promise<Child> {
  const child = await startChild(program, settings);
  children.push(child);
  return child;
}

// (d) The cost of authentication: the same GET with a JWT and with an API key, compared with the same without
// security.
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';
import { prepareFleet } from './support/fleet.ts';
import { connections, load, type Target } from './support/load.ts';

const rounds = 5;
const path = '/api/fleet/instances?limit=25';

const environment = await openEnvironment();
const settings = { ...(JSON.parse(environment.settings) as object), roles: ['api'] };
const children: Child[] = [];
try {
  const guarded = await start({});
  const { token, licenseId, apiKey } = await prepareFleet(guarded.ready.url, environment.databaseUrl);
  const open = await start({ openTo: licenseId });
  const target = ({ ready }: Child, headers: Record<string, string>): Target => ({
    url: ready.url + path,
    headers,
  });
  const targets = {
    'a JWT': target(guarded, { authorization: `Bearer ${token}` }),
    'an API key': target(guarded, { 'x-api-key': apiKey }),
    'an API key as bearer': target(guarded, { authorization: `Bearer ${apiKey}` }),
  };
  const bare = target(open, {});
  const bodies = await Promise.all(
    [bare, ...Object.values(targets)].map(async ({ url, headers }) => (await fetch(url, { headers })).text()),
  );
  if (new Set(bodies).size !== 1) throw new Error('the callers do not get the same bytes');

  for (const one of [bare, ...Object.values(targets)]) await load(one);
  const theirs: number[] = [];
  const ours: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await load(bare));
    for (const [name, one] of Object.entries(targets)) (ours[name] ??= []).push(await load(one));
  }
  for (const [name, figures] of Object.entries(ours)) {
    printComparison({
      name: `GET ${path} with ${name}, ${connections} connections`,
      baseline: 'the same without authentication',
      unit: 'requests/s',
      ours: figures,
      theirs,
      aim: '≥ 0.9',
    });
  }
} finally {
  for (const child of children) await child.stop();
  await environment.stop();
}

async function start(more: object): Promise<Child> {
  const child = await startChild('servers/platform.ts', { ...settings, ...more });
  children.push(child);
  return child;
}

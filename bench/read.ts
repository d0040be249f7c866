// (a) A list with sign-in, validation and row level security, compared with a bare Express handler with the
// same SQL.
import { Children } from './support/child.ts';
import { cpuOf, cpuOfServer, serverPid } from './support/cpu.ts';
import { openEnvironment } from './support/environment.ts';
import { median, printComparison, refuseMissed } from './support/figures.ts';
import { prepareFleet } from './support/fleet.ts';
import { connections, load, measureLoad, type Target } from './support/load.ts';

const rounds = 5;
const path = '/api/fleet/instances?limit=25';

const environment = await openEnvironment();
const children = new Children();
try {
  const platform = await children.start('servers/platform.ts', { ...shared(), roles: ['api'] });
  const { token, licenseId } = await prepareFleet(platform.ready.url, environment.databaseUrl);
  const bare = await children.start('servers/bare.ts', { databaseUrl: environment.databaseUrl, licenseId });
  const padded = await children.start('servers/platform.ts', { ...shared(), roles: ['api'], paths: 300 });
  const headers = { authorization: `Bearer ${token}` };
  const ours = { pid: platform.pid, url: platform.ready.url + path, headers };
  const wide = { pid: padded.pid, url: padded.ready.url + path, headers };
  const theirs = { pid: bare.pid, url: bare.ready.url + path, headers: {} };
  const bodies = await Promise.all(
    [ours, wide, theirs].map(async ({ url, headers }) => (await fetch(url, { headers })).text()),
  );
  if (new Set(bodies).size !== 1) throw new Error('the servers do not return the same bytes');

  const postgres = await serverPid(environment.databaseUrl);
  const figures: Record<'ours' | 'wide' | 'theirs', Round[]> = { ours: [], wide: [], theirs: [] };
  for (const target of [ours, theirs, wide]) await load(target);
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(await measure(ours, postgres));
    figures.theirs.push(await measure(theirs, postgres));
    figures.wide.push(await measure(wide, postgres));
  }
  const comparison = {
    baseline: 'bare Express, the same SQL, the same bytes',
    aim: '≥ 0.5, goal 0.85',
  };
  const rateOf = ({ rate }: Round) => rate;
  const cpuOfRound = ({ nodeMicros, serverMicros }: Round) => nodeMicros + serverMicros;
  printComparison({
    ...comparison,
    name: `GET ${path}, ${connections} connections`,
    unit: 'requests/s',
    ours: figures.ours.map(rateOf),
    theirs: figures.theirs.map(rateOf),
  });
  printComparison({
    ...comparison,
    name: 'the same by processor time of Node and PostgreSQL',
    unit: 'requests for a second of processor time',
    ours: figures.ours.map((round) => 1e6 / cpuOfRound(round)),
    theirs: figures.theirs.map((round) => 1e6 / cpuOfRound(round)),
  });
  for (const [name, of] of Object.entries(figures)) {
    const node = median(of.map(({ nodeMicros }) => nodeMicros));
    const server = median(of.map(({ serverMicros }) => serverMicros));
    const p99 = median(of.map(({ p99Ms }) => p99Ms));
    console.log(
      `  ${name.padEnd(8)} Node ${node.toFixed(0)} µs, PostgreSQL ${server.toFixed(0)} µs, p99 ${p99} ms`,
    );
  }
  const cost = figures.ours.map((round, index) => {
    const wideRound = figures.wide[index];
    return wideRound === undefined ? NaN : cpuOfRound(wideRound) / cpuOfRound(round);
  });
  console.log(
    `  with 300 paths in the contract: ${median(cost).toFixed(2)} times the processor time   aim ≤ 1.10`,
  );
  refuseMissed(median(cost) > 1.1);
} finally {
  await children.stop();
  await environment.stop();
}

interface Round {
  rate: number;
  p99Ms: number;
  nodeMicros: number;
  serverMicros: number;
}

/** Processor time is for each request, in microseconds. */
async function measure(target: Target & { pid: number }, postgres: number): Promise<Round> {
  const before = { node: cpuOf(target.pid), server: cpuOfServer(postgres) };
  const { rate, count, p99Ms } = await measureLoad(target);
  return {
    rate,
    p99Ms,
    nodeMicros: ((cpuOf(target.pid) - before.node) * 1000) / count,
    serverMicros: ((cpuOfServer(postgres) - before.server) * 1000) / count,
  };
}

function shared(): object {
  return JSON.parse(environment.settings) as object;
}

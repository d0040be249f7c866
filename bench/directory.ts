// The directory that leads identifiers to licenses and licenses to cells: its memory in a router, its look-ups, and how soon
// routers see that a license has moved.
import { setTimeout as pause } from 'node:timers/promises';
import { Children } from './support/child.ts';
import { Directory } from './support/cells/directory.ts';
import { openEnvironment } from './support/environment.ts';
import { median, percentile, refuseMissed } from './support/figures.ts';
import type { LookUps, ReplicaFigures } from './servers/directory-replica.ts';

const licenses = Number(process.argv[2] ?? 1_000_000);
const lookUps = 1_000_000;
const changes = 1_000;
const maxDelayMs = 1_000;

const environment = await openEnvironment();
const children = new Children();
try {
  const url = await Directory.create(environment.databaseUrl);
  const directory = await Directory.connect(url);
  await simulateDirectory(directory, url);
  await directory.close();
} finally {
  await children.stop();
  await environment.stop();
}

async function simulateDirectory(directory: Directory, url: string): Promise<void> {
  const begun = performance.now();
  await directory.simulate(licenses);
  const filledMs = performance.now() - begun;
  const replicas = await Promise.all(
    [0, 1].map(() => children.start('servers/directory-replica.ts', { url, licenses })),
  );
  const looking = Promise.all(replicas.map((replica) => replica.ask<LookUps>({ lookUps })));
  for (let change = 0; change < changes; change += 1) {
    await directory.move(`license:${change}`, 1 - (change % 2));
    await pause(5);
  }
  const found = await looking;
  await pause(maxDelayMs);
  const figures = await Promise.all(replicas.map((replica) => replica.ask<ReplicaFigures>('figures')));
  await Promise.all(replicas.map((replica) => replica.stop()));
  const list = (values: readonly number[], digits = 0) =>
    values.map((value) => value.toLocaleString('en', { maximumFractionDigits: digits })).join(' and ');
  const delays = figures.flatMap(({ delaysMs }) => delaysMs);
  print(`directory of ${licenses.toLocaleString('en')} licenses with seven identifiers each, two replicas`, [
    `filled       in ${Math.round(filledMs / 1_000)} s; loaded by a replica in ${list(
      figures.map(({ loadMs }) => loadMs / 1_000),
      1,
    )} s`,
    `memory       ${list(figures.map(({ memoryBytes }) => memoryBytes / 1e6))} MB of a replica`,
    `look-ups     ${list(found.map(({ perSecond }) => perSecond))} per second, p50 ${list(
      found.map(({ p50Micros }) => p50Micros),
      1,
    )} µs, ` +
      `p99 ${list(
        found.map(({ p99Micros }) => p99Micros),
        1,
      )} µs, ${list(found.map(({ wrong }) => wrong))} wrong`,
    `changes      ${changes} moves seen ${delays.length} times, p50 ${Math.round(median(delays))} ms, ` +
      `p99 ${Math.round(percentile(delays, 0.99))} ms, max ${Math.round(Math.max(...delays))} ms later   aim < ${maxDelayMs} ms`,
  ]);
  refuseMissed(
    delays.length !== 2 * changes ||
      Math.max(...delays) >= maxDelayMs ||
      found.some(({ wrong }) => wrong > 0),
  );
}

function print(name: string, lines: readonly string[]): void {
  console.log(`\n${name}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

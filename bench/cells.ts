// A license that moves from the PostgreSQL of one cell to that of another while it is used: for how long writes are refused,
// whether anything is lost or done twice, and what a killed mover leaves behind.
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { Children, type Child } from './support/child.ts';
import { compareSignIns, tryFilterWithoutKey } from './support/cells/alternatives.ts';
import { openCell, type Cell } from './support/cells/cell.ts';
import { Directory } from './support/cells/directory.ts';
import { DirectoryReplica } from './support/cells/directory-replica.ts';
import { dropGuard } from './support/cells/guard.ts';
import { killMovers } from './support/cells/kills.ts';
import {
  connect,
  createLicense,
  fillLicense,
  shareGlobalRows,
  type BenchLicense,
} from './support/cells/license.ts';
import { moveLicense, type MoveReport } from './support/cells/move.ts';
import { identifyByLicense } from './support/cells/replication.ts';
import { Traffic, WebhookReceiver } from './support/cells/traffic.ts';
import { refuseMissed } from './support/figures.ts';

const historyRows = Number(process.argv[2] ?? 200_000);
const rounds = 3;
const maxRefusedMs = 2_000;
const maxDeliveryMs = 180_000;

const children = new Children();
const receiver = new WebhookReceiver();
const first = await openCell('first');
const second = await openCell('second', first.jwtSecret);
const cells = [first, second] as const;
try {
  await compareSignIns(first);
  const directoryUrl = await Directory.create(first.tcpUrl);
  const directory = await Directory.connect(directoryUrl);
  await moveUnderTraffic(directory, directoryUrl);
  await killMovers({ cells, directory, directoryUrl });
  await directory.close();
} catch (error) {
  // Before the cells stop, which other connections would report.
  console.error(error);
  for (const cell of cells) console.error(cell.name, (await cell.errors()).slice(-20));
  process.exitCode = 1;
} finally {
  await children.stop();
  receiver.close();
  for (const cell of cells) await cell.stop();
}

async function moveUnderTraffic(directory: Directory, directoryUrl: string): Promise<void> {
  const roles = ['api', 'ingest', 'jobs'];
  const hooks = await receiver.listen();
  const platforms: Child[] = [];
  platforms.push(await children.start('servers/platform.ts', { ...first.settings, roles }));
  await shareGlobalRows(first, second);
  platforms.push(await children.start('servers/platform.ts', { ...second.settings, roles }));
  const urls = platforms.map(({ ready }) => ready.url);
  const moved = await createLicense(first, urls[0] ?? '', hooks);
  await fillLicense(first, moved, historyRows);
  const neighbor = await createLicense(first, urls[0] ?? '');
  const resident = await createLicense(second, urls[1] ?? '');
  await directory.add(moved.id, 0, [`key:${moved.id}`]);
  const router = await DirectoryReplica.open(directoryUrl, 1_000, 10_000);
  const urlOfMoved = () => urls[router.cellOf(`key:${moved.id}`) ?? 0] ?? '';

  const withoutKey = await tryFilterWithoutKey(first);
  const source = await connect(first);
  const indexesBegun = performance.now();
  const identities = await identifyByLicense(source);
  const indexesMs = performance.now() - indexesBegun;
  await source.end();
  print('keys with the license', [
    `${identities.primaryKeys} tables have it in their primary key, ${identities.otherIndexes} in another key, ` +
      `${identities.added} got an index for it in ${Math.round(indexesMs)} ms, ${identities.whole} have no key, ` +
      `${identities.appendOnly} is append-only`,
    `published without such a key, an update of no row at all: ${withoutKey}`,
  ]);

  const before = await lastEvents([moved, neighbor]);
  const beats = await startHeartbeats([moved, neighbor]);
  const traffic = new Traffic({ apiKey: moved.apiKey, url: urlOfMoved }, 4);
  const undisturbed = new Traffic({ apiKey: neighbor.apiKey, url: () => urls[0] ?? '' }, 1);
  const inSecond = new Traffic({ apiKey: resident.apiKey, url: () => urls[1] ?? '' }, 1);
  let beaten: string[] = [];
  try {
    await moveRounds(moved, directory, traffic, undisturbed);
  } finally {
    await traffic.stop();
    await undisturbed.stop();
    await inSecond.stop();
    beaten = await beats.stop();
    await router.close();
  }
  const isFirst = rounds % 2 === 0;
  await printOutcome(traffic, moved, before, isFirst ? first : second, isFirst ? second : first);
  await printOutcome(undisturbed, neighbor, before, first, second);
  print('heartbeats over the bus of the first cell, ten a second of each host', beaten);
  await Promise.all(platforms.map((platform) => platform.stop()));
}

async function moveRounds(
  moved: BenchLicense,
  directory: Directory,
  traffic: Traffic,
  undisturbed: Traffic,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await pause(3_000);
    const [from, to] = [round % 2, 1 - (round % 2)];
    const since = performance.now();
    const report = await moveLicense({
      licenseId: moved.id,
      sourceUrl: cells[from]?.tcpUrl ?? '',
      targetUrl: cells[to]?.tcpUrl ?? '',
      directory,
      targetCell: to,
      compares: round === rounds - 1,
    });
    await pause(3_000);
    printMove(round, report, traffic.refusedSince(since), undisturbed.refusedSince(since));
    if (round < rounds - 1) await tidy(moved.id, cells[from], cells[to]);
  }
}

/** So that the license can come back. */
async function tidy(licenseId: string, from: Cell | undefined, to: Cell | undefined): Promise<void> {
  if (from === undefined || to === undefined) return;
  const [old, current] = [await connect(from), await connect(to)];
  await dropGuard(old, licenseId);
  await dropGuard(current, licenseId);
  await old.end();
  await current.end();
}

function printMove(
  round: number,
  { refusedMs, copyMs, doneMs, comparison }: MoveReport,
  refused: ReturnType<Traffic['refusedSince']>,
  neighbor: ReturnType<Traffic['refusedSince']>,
): void {
  const ms = (value: number) => `${Math.round(value)} ms`;
  print(`move ${round + 1} of a license under writes of 4 members`, [
    `copied       in ${ms(copyMs)}, everything in ${ms(doneMs.cleaned ?? NaN)}`,
    `refused      for ${ms(refusedMs)} by the database; ${refused.count} requests over ${ms(refused.spanMs)}, ` +
      `${ms(refused.gapMs)} at most without a successful write   aim < ${maxRefusedMs} ms of refusals`,
    `neighbor     ${neighbor.count} refused, ${ms(neighbor.gapMs)} at most without a successful write`,
    ...(comparison === undefined
      ? []
      : [
          `compared     ${comparison.rows.toLocaleString('en')} rows of ${comparison.tables} tables, ${comparison.filled} with rows, ` +
            `while refusing, in ${ms(comparison.ms)}; different: ${comparison.different.join(', ') || 'none'}`,
        ]),
  ]);
  const spent = comparison?.ms ?? 0;
  refuseMissed(
    Math.max(refusedMs, refused.spanMs) - spent >= maxRefusedMs ||
      neighbor.count > 0 ||
      (comparison?.different.length ?? 0) > 0,
  );
}

async function printOutcome(
  traffic: Traffic,
  license: BenchLicense,
  before: ReadonlyMap<string, number>,
  here: Cell,
  there: Cell,
): Promise<void> {
  const client = await connect(here);
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, name from instance_cluster where license_id = $1 and name like 'cluster %'`,
    [license.id],
  );
  const found = new Map(rows.map(({ id, name }) => [id, name]));
  const lost = [...traffic.expected].filter(([id, name]) => found.get(id) !== name).length;
  const extra = rows.filter(({ id }) => !traffic.expected.has(id)).length;
  const { written } = traffic;
  const successes = written.created + written.updated + written.deleted;
  const events = await eventsOf(client, license.id, before.get(license.id) ?? 0);
  await client.end();
  const other = await connect(there);
  const { rows: open } = await other.query<{ count: number }>(
    `select count(*)::int as count from license where id = $1`,
    [license.id],
  );
  await other.end();
  const isWatched = [...receiver.deliveries.keys()].some((id) => events.ids.includes(id));
  const waited = isWatched ? await deliveredWithin(events.ids) : 0;
  const deliveries = events.ids.map((id) => receiver.deliveries.get(id) ?? 0);
  print(`outcome of ${traffic.outcomes.length} requests`, [
    `writes       ${successes} confirmed; ${lost} lost, ${extra} beyond those; unexpected: ${traffic.unexpected.join(', ') || 'none'}`,
    `events       ${events.ids.length} of them in the log, ${events.missing} numbers missing, ${events.doubled} doubled`,
    ...(isWatched
      ? [
          `webhook      ${deliveries.filter((count) => count === 0).length} events not delivered, ` +
            `${deliveries.filter((count) => count > 1).length} more than once; the last ${Math.round(waited / 1_000)} s after the last write`,
        ]
      : []),
    `other cell   ${open[0]?.count ?? 0} license rows`,
  ]);
  refuseMissed(
    lost > 0 ||
      extra > 0 ||
      traffic.unexpected.length > 0 ||
      events.ids.length !== successes ||
      events.missing > 0 ||
      events.doubled > 0 ||
      (isWatched && deliveries.some((count) => count === 0)),
  );
}

async function eventsOf(client: pg.Client, licenseId: string, after: number) {
  const { rows } = await client.query<{ id: string; seq: string; type: string }>(
    'select id, seq, type from event_log where license_id = $1 and seq > $2 order by seq',
    [licenseId, after],
  );
  const numbers = rows.map(({ seq }) => Number(seq));
  return {
    ids: rows.filter(({ type }) => type.startsWith('cluster.')).map(({ id }) => id),
    missing: Math.max(after, ...numbers) - after - new Set(numbers).size,
    doubled: numbers.length - new Set(numbers).size,
  };
}

/** The numbers of the last events of licenses in the first cell. */
async function lastEvents(of: readonly BenchLicense[]): Promise<Map<string, number>> {
  const client = await connect(first);
  const { rows } = await client.query<{ id: string; last: number }>(
    `select license_id as id, max(seq)::int as last from event_log where license_id = any($1::uuid[]) group by 1`,
    [of.map(({ id }) => id)],
  );
  await client.end();
  return new Map(rows.map(({ id, last }) => [id, last]));
}

/** Milliseconds until every event was delivered, as long as that takes less than some minutes. */
async function deliveredWithin(ids: readonly string[]): Promise<number> {
  const begun = performance.now();
  while (ids.some((id) => !receiver.deliveries.has(id)) && performance.now() - begun < maxDeliveryMs)
    await pause(100);
  return performance.now() - begun;
}

/** The agents keep reporting to the first cell, as agents do that have not heard of a move. */
async function startHeartbeats(hosts: readonly BenchLicense[]) {
  const publisher = await children.start('servers/publisher.ts', { bus: first.bus });
  let isOver = false;
  let sent = 0;
  const work = (async () => {
    while (!isOver) {
      await publisher.ask({ hostIds: hosts.map(({ hostId }) => hostId), instances: 1 });
      sent += 1;
      await pause(100);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await work;
      await publisher.stop();
      await pause(2_000);
      const client = await connect(first);
      const counts = [];
      for (const { id } of hosts) {
        const { rows } = await client.query<{ count: number }>(
          'select count(*)::int as count from instance_stats where license_id = $1',
          [id],
        );
        counts.push(rows[0]?.count ?? 0);
      }
      await client.end();
      return [
        `${sent} sent by each; stored in the first cell: ${counts[0]} of the moved license, ${counts[1]} of its neighbor`,
      ];
    },
  };
}

function print(name: string, lines: readonly string[]): void {
  console.log(`\n${name}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

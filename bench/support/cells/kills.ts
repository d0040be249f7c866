// Kills movers after each of their steps, and looks where the license can be written.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { startChild } from '../child.ts';
import { refuseMissed } from '../figures.ts';
import type { Cell } from './cell.ts';
import type { Directory } from './directory.ts';
import { refusals } from './guard.ts';
import { connect } from './license.ts';
import { abortMove, moveLicense, steps, type Step } from './move.ts';

interface Parts {
  cells: readonly [Cell, Cell];
  directory: Directory;
  directoryUrl: string;
}

const afterMove: readonly Step[] = ['moved', 'opened', 'switched', 'cleaned'];

export async function killMovers(parts: Parts): Promise<void> {
  console.log('\na mover killed after each step, with a writer (cells in which the license can be written)');
  for (const step of steps) {
    await killOne(parts, step, 'resumed');
    if (!afterMove.includes(step)) await killOne(parts, step, 'aborted');
  }
}

async function killOne(
  { cells, directory, directoryUrl }: Parts,
  step: Step,
  then: 'resumed' | 'aborted',
): Promise<void> {
  const [source, target] = [await connect(cells[0]), await connect(cells[1])];
  const licenseId = await insertLicense(source);
  await directory.add(licenseId, 0, []);
  const writer = new Writer([await connect(cells[0]), await connect(cells[1])], licenseId);
  const options = {
    licenseId,
    sourceUrl: cells[0].tcpUrl,
    targetUrl: cells[1].tcpUrl,
    targetCell: 1,
    graceMs: 0,
  };
  const mover = await startChild('servers/mover.ts', { ...options, directoryUrl, stopAfter: step });
  process.kill(mover.pid, 'SIGKILL');
  // PostgreSQL ends the sessions of the killed process once it reads from their sockets.
  await pause(50);
  const killed = await writableIn([source, target], licenseId);
  const begun = performance.now();
  if (then === 'resumed') await moveLicense({ ...options, directory });
  else await abortMove({ ...options, directory });
  const ms = Math.round(performance.now() - begun);
  const ended = await writableIn([source, target], licenseId);
  await writer.stop();
  const home = then === 'resumed' ? target : source;
  const { rows } = await home.query<{ name: string }>(
    'select name from instance_cluster where license_id = $1',
    [licenseId],
  );
  const found = new Set(rows.map(({ name }) => name));
  const lost = writer.confirmed.filter((name) => !found.has(name)).length;
  const doubled = rows.length - found.size;
  const beyond = [...found].filter((name) => !writer.confirmed.includes(name)).length;
  const leftRows = await rowsLeft(then === 'aborted' ? target : source, licenseId);
  const { rows: slots } = await source.query('select from pg_replication_slots');
  console.log(
    `  ${step.padEnd(11)} killed: ${killed.join(' ') || 'none'}; ${then} in ${ms} ms: ${ended.join(' ') || 'none'}; ` +
      `${writer.confirmed.length} writes, ${lost} lost, ${doubled + beyond} doubled; ${slots.length} slots, ${leftRows} rows left`,
  );
  const allowed = step === 'moved' ? 0 : 1;
  refuseMissed(
    killed.length !== allowed ||
      ended.length !== 1 ||
      ended[0] !== (then === 'resumed' ? 'target' : 'source') ||
      lost + doubled + beyond + slots.length + leftRows > 0,
  );
  for (const client of [source, target]) await client.end();
}

async function insertLicense(client: pg.Client): Promise<string> {
  const name = randomUUID();
  const { rows } = await client.query<{ id: string }>(
    'insert into license (key, name, subdomain, companion_token_hash) values ($1, $1, $1, $1) returning id',
    [name],
  );
  return rows[0]?.id ?? '';
}

async function rowsLeft(client: pg.Client, licenseId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select (select count(*) from license where id = $1)::int + (select count(*) from instance_cluster where license_id = $1)::int as count`,
    [licenseId],
  );
  return rows[0]?.count ?? 0;
}

/** Writes as a member's request does: in the scope of the license. */
async function insertCluster(client: pg.Client, licenseId: string, name: string, end: string): Promise<void> {
  try {
    await client.query(`begin; set local role gantry_tenant; set local app.license_id = '${licenseId}'`);
    await client.query('insert into instance_cluster (name) values ($1)', [name]);
    await client.query(end);
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function writableIn(
  [source, target]: readonly [pg.Client, pg.Client],
  licenseId: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, client] of [['source', source] as const, ['target', target] as const])
    if (await canWrite(client, licenseId)) found.push(name);
  return found;
}

async function canWrite(client: pg.Client, licenseId: string): Promise<boolean> {
  try {
    await insertCluster(client, licenseId, randomUUID(), 'rollback');
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** A foreign key refuses a license that the cell does not know. */
function isRefusal(error: unknown): boolean {
  return [refusals.moving, refusals.elsewhere, '23503'].includes((error as { code?: string }).code ?? '');
}

/** Writes to the first cell until it refuses, then to the other, and so on. */
class Writer {
  readonly confirmed: string[] = [];
  readonly #clients: readonly [pg.Client, pg.Client];
  readonly #licenseId: string;
  readonly #work: Promise<void>;
  #isOver = false;

  constructor(clients: readonly [pg.Client, pg.Client], licenseId: string) {
    this.#clients = clients;
    this.#licenseId = licenseId;
    this.#work = this.#write();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    for (const client of this.#clients) await client.end();
  }

  async #write(): Promise<void> {
    let cell: 0 | 1 = 0;
    while (!this.#isOver) {
      const name = randomUUID();
      while (!this.#isOver) {
        try {
          await insertCluster(this.#clients[cell], this.#licenseId, name, 'commit');
          this.confirmed.push(name);
          break;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          cell = cell === 0 ? 1 : 0;
          await pause(5);
        }
      }
      await pause(10);
    }
  }
}

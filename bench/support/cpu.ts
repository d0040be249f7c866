// The processor time of processes (user and system), which other work on the machine changes less than the clock's.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux counts in hundredths of a second. */
const msPerTick = 10;

interface Stat {
  parent: number;
  ms: number;
}

/** With `isFamily`, includes children that have ended. Undefined if the process has ended. */
function statOf(pid: number, isFamily: boolean): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, isFamily ? 15 : 13).map(Number);
  return { parent: Number(fields[1]), ms: ticks.reduce((sum, value) => sum + value, 0) * msPerTick };
}

/** Milliseconds that the process has used. */
export function cpuOf(pid: number): number {
  return statOf(pid, false)?.ms ?? NaN;
}

/** The process id of the PostgreSQL server on this machine. */
export async function serverPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf(rows[0]?.pid ?? 0, false)?.parent ?? 0;
  } finally {
    await client.end();
  }
}

/** Milliseconds that the server and all its sessions have used. */
export function cpuOfServer(server: number): number {
  let sum = statOf(server, true)?.ms ?? NaN;
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name), false) : undefined;
    if (stat?.parent === server) sum += stat.ms;
  }
  return sum;
}

// Copies rows of one license out of the database as text, within the license's scope, without holding them in memory.
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createClient, type ConnectionSettings } from '../database/client.ts';
import { openScope } from '../database/scope.ts';

/** A month of a large license takes longer than other statements may. */
const statementMs = 10 * 60_000;

/** Opens a connection for long copies. */
export async function openCopyClient(settings: ConnectionSettings): Promise<pg.Client> {
  const client = createClient({
    ...settings,
    limits: { ...settings.limits, statementMs, silenceMs: statementMs + 10_000 },
  });
  // The running statement fails as well.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Writes the result of the query to a file and returns the number of rows. */
export async function copyRows(
  client: pg.Client,
  { licenseId, query, path }: { licenseId: string; query: string; path: string },
  progressed: () => void = () => undefined,
): Promise<number> {
  await client.query(`begin read only; ${openScope({ licenseId })}`);
  try {
    const rows = client.query(copyTo(`copy (${query}) to stdout (format csv, null '')`));
    const watched = new Transform({
      transform(bytes, _encoding, done) {
        progressed();
        done(null, bytes);
      },
    });
    await pipeline(rows, watched, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return rows.rowCount;
  } finally {
    await client.query('rollback');
  }
}

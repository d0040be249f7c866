// The session of the browser, which outlives the manager until it expires or `stop` ends it.
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, numberOf, textOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';
import { sessionSeconds } from './gate.ts';

const fileOf = (home: string) => join(home, 'browser-session.json');

/** The same after a restart, and a new one once it has expired. Only this user can read the home. */
export async function keptSession(home: string): Promise<string> {
  const text = await readFile(fileOf(home), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const fields = fieldsOf(jsonOf(text));
  const [kept, expiresAt] = [textOf(fields['session']), numberOf(fields['expiresAt'])];
  if (kept !== null && kept.length >= 43 && expiresAt !== null && Date.now() < expiresAt) return kept;
  const session = randomBytes(32).toString('base64url');
  await writeWhole(fileOf(home), JSON.stringify({ session, expiresAt: Date.now() + sessionSeconds * 1000 }));
  return session;
}

/** Browsers need a new link afterwards. */
export const endSession = (home: string): Promise<void> => rm(fileOf(home), { force: true });

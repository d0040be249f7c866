// Remembers a change of the settings while it is written, so that one that was cut off can be told and settled later.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';
import type { ConfigFile } from './settings.ts';

/** What each file held before the change, and what it is to hold after it. */
export type PendingChange = Record<ConfigFile, { before: Buffer; after: Buffer }>;

/** How far a change came: to its end, nowhere, half of the way, or other hands have been there since. */
export type Progress = 'written' | 'untouched' | 'half' | 'overtaken';

export class PendingChangeNote {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'pending-change.json');
  }

  /** What there is to settle; undefined when nothing is, or when the note itself is not whole. */
  async read(): Promise<PendingChange | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const fields = fieldsOf(jsonOf(text));
    const engine = sidesOf(fields['UserEngine.ini']);
    const game = sidesOf(fields['UserGame.ini']);
    if (engine === undefined || game === undefined) return undefined;
    return { 'UserEngine.ini': engine, 'UserGame.ini': game };
  }

  write(change: PendingChange): Promise<void> {
    const text = ({ before, after }: PendingChange[ConfigFile]) => ({
      before: before.toString('base64'),
      after: after.toString('base64'),
    });
    return writeWhole(
      this.#file,
      JSON.stringify({
        'UserEngine.ini': text(change['UserEngine.ini']),
        'UserGame.ini': text(change['UserGame.ini']),
      }),
    );
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

export function progressOf(change: PendingChange, now: Record<ConfigFile, Buffer>): Progress {
  const sides = (['UserEngine.ini', 'UserGame.ini'] as const).map((file) => ({
    ...change[file],
    now: now[file],
  }));
  if (sides.every(({ after, now: content }) => content.equals(after))) return 'written';
  if (sides.every(({ before, now: content }) => content.equals(before))) return 'untouched';
  const isKnown = sides.every(
    ({ before, after, now: content }) => content.equals(before) || content.equals(after),
  );
  return isKnown ? 'half' : 'overtaken';
}

function sidesOf(value: unknown): PendingChange[ConfigFile] | undefined {
  const { before, after } = fieldsOf(value);
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return { before: Buffer.from(before, 'base64'), after: Buffer.from(after, 'base64') };
}

// Records a change of the settings while it is written, so that an interrupted one can be detected and settled.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';
import type { ConfigFile } from './settings.ts';

/** Each file's content before and after the change. */
export type PendingChange = Record<ConfigFile, { before: Buffer; after: Buffer }>;

/** How far a change came: complete, not started, partial, or overwritten by another change. */
export type Progress = 'written' | 'untouched' | 'half' | 'overtaken';

export class PendingChangeNote {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'pending-change.json');
  }

  /** The recorded change; undefined if there is none, or if the record is incomplete. */
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

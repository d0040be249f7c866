// Remembers what was done for the virtual machine that there is, and forgets it with that machine.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';

/** Steps that leave nothing behind that they could be told by. */
export type RememberedStep = 'security' | 'network';

export class SetupState {
  readonly #file: string;
  /** What others remember of it. */
  readonly #others: string[];

  constructor(home: string) {
    this.#file = join(home, 'setup.json');
    this.#others = ['game-config', 'configured-memory.json', 'known_hosts'].map((name) => join(home, name));
  }

  async done(): Promise<ReadonlySet<string>> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return new Set(listOf(fieldsOf(jsonOf(text))['done']).filter((step) => typeof step === 'string'));
  }

  async add(step: RememberedStep): Promise<void> {
    const done = [...(await this.done()), step];
    await writeWhole(this.#file, JSON.stringify({ done: [...new Set(done)] }));
  }

  async clear(): Promise<void> {
    for (const path of [this.#file, ...this.#others]) await rm(path, { force: true, recursive: true });
  }
}

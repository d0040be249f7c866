// Remembers which steps of the setup were done for the virtual machine that there is.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';

/** Steps that leave nothing behind that they could be told by. */
export type RememberedStep = 'security' | 'network';

export class SetupState {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, 'setup.json');
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
    await rm(this.#file, { force: true });
  }
}

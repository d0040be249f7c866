// Remembers what was done for the virtual machine that there is, and forgets it with that machine.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, listOf, textOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';

/** Parts of an import, in their order, that another import goes on with. */
export const importParts = ['connected', 'prepared', 'memory', 'key'] as const;
export type ImportPart = (typeof importParts)[number];

/** Steps that leave nothing behind that they could be told by. */
export type RememberedStep = 'import' | ImportPart | 'security' | 'network' | 'bootstrap';

export class SetupState {
  readonly #file: string;
  /** What others remember of it. */
  readonly #others: string[];

  constructor(home: string) {
    this.#file = join(home, 'setup.json');
    this.#others = ['game-config', 'configured-memory.json', 'known_hosts', 'keys', 'key-change.json'].map(
      (name) => join(home, name),
    );
  }

  /** What was done for this machine; for any other one that was nothing. */
  async done(vmId: string | null): Promise<ReadonlySet<string>> {
    const fields = fieldsOf(jsonOf(await readFile(this.#file, 'utf8').catch(() => '')));
    const ofVm = textOf(fields['vmId']);
    if (ofVm !== null && vmId !== null && ofVm !== vmId) return new Set();
    return new Set(listOf(fields['done']).filter((step) => typeof step === 'string'));
  }

  async add(step: RememberedStep, vmId: string | null): Promise<void> {
    const done = [...(await this.done(vmId)), step];
    await writeWhole(this.#file, JSON.stringify({ vmId, done: [...new Set(done)] }));
  }

  async clear(): Promise<void> {
    for (const path of [this.#file, ...this.#others]) await rm(path, { force: true, recursive: true });
  }
}

/** Whether an import of the manager's has left the machine without all that it is to have before it is started. */
export function isImportCut(done: ReadonlySet<string>, vmState: string): boolean {
  return vmState === 'off' && done.has('import') && importParts.some((part) => !done.has(part));
}

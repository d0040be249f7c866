// Stores the completed setup steps of the current virtual machine, and discards them with that machine.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf, listOf, textOf } from '../parsing.ts';
import { writeWhole } from '../whole-files.ts';

/** Steps of an import, in order; a repeated import resumes after the completed ones. */
export const importParts = ['connected', 'prepared', 'memory', 'key'] as const;
export type ImportPart = (typeof importParts)[number];

/** Steps whose completion cannot be detected from the machine itself. */
export type RememberedStep = 'import' | ImportPart | 'password' | 'security' | 'network' | 'bootstrap';

export class SetupState {
  readonly #file: string;
  /** Files and folders of other services with state of that machine. */
  readonly #others: string[];

  constructor(home: string) {
    this.#file = join(home, 'setup.json');
    this.#others = ['game-config', 'configured-memory.json', 'known_hosts', 'keys', 'key-change.json'].map(
      (name) => join(home, name),
    );
  }

  /** The steps done for this machine; none for any other machine. */
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

/** Whether an interrupted import has left the machine without steps that it needs before its start. */
export function isImportCut(done: ReadonlySet<string>, vmState: string): boolean {
  return vmState === 'off' && done.has('import') && importParts.some((part) => !done.has(part));
}

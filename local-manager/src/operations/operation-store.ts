// Keeps operations and what they printed in files of the manager's home, the last fifty of them.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf } from '../parsing.ts';
import { interruptionOf } from './interrupted.ts';
import type { Operation, OperationLine } from './operation.ts';

export const maxOperations = 50;

const names = /^([0-9a-f-]{36})\.json$/;

export class OperationStore {
  readonly #folder: string;
  #last: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#folder = join(home, 'operations');
  }

  /** Those that are kept, newest first. What ran when the manager ended was interrupted. */
  async load(): Promise<Operation[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const files = (await readdir(this.#folder)).filter((file) => names.test(file));
    const found = await Promise.all(files.map((file) => readFile(join(this.#folder, file), 'utf8')));
    const operations = found
      .map((text) => jsonOf(text) as Operation | undefined)
      .filter((operation) => operation !== undefined)
      .filter((operation) => typeof fieldsOf(operation)['id'] === 'string')
      .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
    const interrupted = operations.filter(({ state }) => state === 'running');
    for (const operation of interrupted) {
      const endedAt = new Date().toISOString();
      const problem = interruptionOf(operation.kind);
      Object.assign(operation, { state: 'interrupted', isCancellable: false, endedAt, problem });
      for (const step of operation.steps)
        if (step.state === 'running') Object.assign(step, { state: 'failed', endedAt });
      await this.#write(operation);
    }
    return operations;
  }

  /** Written one after the other; the last state of an operation is the one that stays. */
  save(operation: Operation): Promise<void> {
    const text = structuredClone(operation);
    return this.#queue(() => this.#write(text));
  }

  addLine(line: OperationLine): Promise<void> {
    return this.#queue(() =>
      appendFile(this.#linesFile(line.operationId), `${JSON.stringify(line)}\n`, { mode: 0o600 }),
    );
  }

  async linesOf(id: string): Promise<OperationLine[]> {
    await this.#last;
    const text = await readFile(this.#linesFile(id), 'utf8').catch(() => '');
    return text
      .split('\n')
      .map((line) => jsonOf(line) as OperationLine | undefined)
      .filter((line) => line !== undefined);
  }

  remove(id: string): Promise<void> {
    return this.#queue(async () => {
      await rm(join(this.#folder, `${id}.json`), { force: true });
      await rm(this.#linesFile(id), { force: true });
    });
  }

  flush(): Promise<void> {
    return this.#last.catch(() => undefined);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(work);
    return this.#last;
  }

  #linesFile = (id: string) => join(this.#folder, `${id}.jsonl`);

  /** Whole or not at all. */
  async #write(operation: Operation): Promise<void> {
    const target = join(this.#folder, `${operation.id}.json`);
    const fresh = `${target}.${randomUUID()}`;
    await writeFile(fresh, JSON.stringify(operation), { mode: 0o600 });
    await rename(fresh, target);
  }
}

// Stores the last fifty operations and their output in files of the manager's home.
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, jsonOf } from '../parsing.ts';
import { interruptionOf } from './interrupted.ts';
import { writeWhole } from '../whole-files.ts';
import type { Operation, OperationLine } from './operation-run.ts';

export const maxOperations = 50;

const names = /^([0-9a-f-]{36})\.json$/;

export class OperationStore {
  readonly #folder: string;
  #last: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#folder = join(home, 'operations');
  }

  /** The stored operations, newest first. One that was running when the manager ended counts as interrupted. */
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

  /** Saves run one after the other, so that the last state of an operation remains. */
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

  /** Writes the file atomically. */
  async #write(operation: Operation): Promise<void> {
    await writeWhole(join(this.#folder, `${operation.id}.json`), JSON.stringify(operation));
  }
}

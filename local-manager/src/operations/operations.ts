// Runs long operations, one at a time, and stores their outcome and output.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import { notFound } from '../../../src/errors.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { AuditLog } from '../security/audit-log.ts';
import { hiddenMark, KeyLines, type Secrets } from '../security/secrets.ts';
import { cancellationOf } from './cancelled.ts';
import { kindInWords } from './kind-words.ts';
import {
  Cancelled,
  OperationRun,
  type LineStream,
  type Operation,
  type OperationLine,
} from './operation-run.ts';
import { maxOperations, type OperationStore } from './operation-store.ts';

type Schemas = components['schemas'];
export type OperationKind = Schemas['OperationKind'];
export type OperationResult = Schemas['OperationResult'];

/** Lines kept in memory for clients that reconnect. */
const maxLines = 5_000;
const maxLineLength = 4_000;
const maxListedLines = 2_000;

interface Events {
  line: [OperationLine];
  operation: [Operation];
}

interface Dependencies {
  store: OperationStore;
  secrets: Secrets;
  audit: AuditLog;
  log: Logger;
}

interface Running {
  operation: Operation;
  run: OperationRun;
  ended: Promise<void>;
}

export interface Begun<T> {
  operation: Operation;
  /** The result of the work; rejects if the work does. */
  result: Promise<T>;
}

export class Operations {
  readonly events = new EventEmitter<Events>();
  readonly #dependencies: Dependencies;
  #operations: Operation[] = [];
  #lines: OperationLine[] = [];
  #seq = 0;
  #running: Running | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.events.setMaxListeners(0);
  }

  async load(): Promise<void> {
    this.#operations = await this.#dependencies.store.load();
  }

  get running(): Operation | undefined {
    return this.#running?.operation;
  }

  /** Throws a refusal while another operation runs. */
  refuseWhileRunning(): void {
    const { running } = this;
    if (running === undefined) return;
    const { id, kind } = running;
    throw refusal(
      'operation_running',
      `“${kindInWords(kind)}” is running: wait until it has finished, or cancel it.`,
      {
        members: { operation: { id, kind } },
      },
    );
  }

  /** Starts the work and returns without waiting; the operation reports its outcome. */
  start(kind: OperationKind, work: (run: OperationRun) => Promise<OperationResult>): Operation {
    const begun = this.begin(kind, work, (result) => result);
    // The operation reports the failure.
    begun.result.catch(() => undefined);
    return begun.operation;
  }

  /** As `start`, for callers that wait for the result. */
  begin<T>(
    kind: OperationKind,
    work: (run: OperationRun) => Promise<T>,
    resultOf: (value: T) => OperationResult,
  ): Begun<T> {
    this.refuseWhileRunning();
    const operation: Operation = {
      id: randomUUID(),
      kind,
      state: 'running',
      steps: [],
      isCancellable: false,
      startedAt: new Date().toISOString(),
      endedAt: null,
      result: null,
      problem: null,
    };
    const key = new KeyLines();
    const run = new OperationRun(operation, {
      changed: () => this.#changed(operation),
      line: (stream, text) =>
        this.#print(operation.id, stream, stream === 'output' && key.takes(text) ? hiddenMark : text),
    });
    this.#operations.unshift(operation);
    const result = Promise.resolve().then(() => work(run));
    const ended = result.then(
      (value) => this.#end(operation, { state: 'succeeded', result: resultOf(value) }),
      (error: unknown) => this.#fail(operation, error),
    );
    this.#running = { operation, run, ended };
    this.#changed(operation);
    this.#forgetOldest();
    return { operation, result };
  }

  list(): readonly Operation[] {
    return this.#operations;
  }

  get(id: string): Operation {
    const found = this.#operations.find((operation) => operation.id === id);
    if (found === undefined) throw notFound('operation');
    return found;
  }

  async linesOf(id: string, after: number): Promise<{ lines: OperationLine[]; isTruncated: boolean }> {
    this.get(id);
    const lines = (await this.#dependencies.store.linesOf(id)).filter(({ seq }) => seq > after);
    return { lines: lines.slice(-maxListedLines), isTruncated: lines.length > maxListedLines };
  }

  /** The lines after that one since the manager's start, as far as they are still in memory. */
  linesAfter(seq: number): { lines: OperationLine[]; isTruncated: boolean } {
    const lines = this.#lines.filter((line) => line.seq > seq);
    const first = this.#lines[0]?.seq ?? this.#seq + 1;
    return { lines, isTruncated: seq + 1 < first };
  }

  cancel(id: string): Operation {
    const operation = this.get(id);
    if (operation.state !== 'running' || this.#running === undefined)
      throw refusal('operation_ended', 'The operation has already ended.');
    if (!operation.isCancellable)
      throw refusal(
        'not_cancellable',
        'Cancelling now would leave a step half done; try again in a few seconds.',
      );
    this.#print(id, 'step', 'Cancelled');
    this.#running.run.cancel();
    return operation;
  }

  /** Waits until nothing runs: the operation ends at once if its step can be cancelled, otherwise after the step. */
  async stop(): Promise<void> {
    this.#running?.run.cancel();
    await this.#running?.ended;
    await this.#dependencies.store.flush();
  }

  #print(operationId: string, stream: LineStream, text: string): void {
    const { secrets, store, log } = this.#dependencies;
    const shown = secrets.hide(text).slice(0, maxLineLength);
    const line: OperationLine = {
      seq: (this.#seq += 1),
      operationId,
      at: new Date().toISOString(),
      stream,
      text: shown,
    };
    this.#lines.push(line);
    if (this.#lines.length > maxLines * 1.2) this.#lines = this.#lines.slice(-maxLines);
    store.addLine(line).catch((error: unknown) => log.error({ err: error }, 'a line cannot be kept'));
    this.events.emit('line', line);
  }

  #changed(operation: Operation): void {
    const { store, log } = this.#dependencies;
    store.save(operation).catch((error: unknown) => log.error({ err: error }, 'an operation cannot be kept'));
    this.events.emit('operation', operation);
  }

  #fail(operation: Operation, error: unknown): void {
    if (error instanceof Cancelled) {
      this.#end(operation, { state: 'cancelled', result: { summary: cancellationOf(operation) } });
      return;
    }
    const { secrets, log } = this.#dependencies;
    if (!isRefusal(error)) log.error({ err: error }, `${operation.kind} failed`);
    const known = isRefusal(error)
      ? error
      : refusal('internal', 'The manager failed; its log has the details.');
    const detail = secrets.hide(known.message);
    this.#print(operation.id, 'error', detail);
    const problem = { code: known.code, detail, ...known.members } as NonNullable<Operation['problem']>;
    this.#end(operation, { state: 'failed', problem });
  }

  #end(operation: Operation, end: Pick<Operation, 'state'> & Partial<Operation>): void {
    this.#running = undefined;
    Object.assign(operation, { ...end, isCancellable: false, endedAt: new Date().toISOString() });
    const { id, kind, state, problem } = operation;
    this.#dependencies.audit.add({ event: 'operation', id, kind, state, code: problem?.code });
    this.#changed(operation);
  }

  #forgetOldest(): void {
    for (const { id } of this.#operations.splice(maxOperations)) {
      void this.#dependencies.store
        .remove(id)
        .catch((error: unknown) =>
          this.#dependencies.log.error({ err: error }, 'an operation cannot be forgotten'),
        );
    }
  }
}

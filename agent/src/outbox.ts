// Keeps state changes, results and wipe reports on disk until the platform acknowledges them: in order, at least once.
import type { Logger } from 'pino';
import { Backoff, pause } from './backoff.ts';
import { isAcknowledged } from './bus/acknowledgement.ts';
import { AppendLog } from './state-files/append-log.ts';
import type { CommandResult, InstanceState, InstanceStateChange, Messages, Schemas } from './messages.ts';

type Item =
  | { number: number; kind: 'instance-state'; body: InstanceStateChange }
  | { number: number; kind: 'command-result'; body: CommandResult }
  | { number: number; kind: 'wipe-status'; body: Schemas['WipeReport'] };

export interface OutboxOptions {
  path: string;
  messages: Messages;
  isOpen: () => boolean;
  request: (kind: Item['kind'], body: unknown, timeoutMs: number) => Promise<string>;
  onResultDelivered: (commandId: string) => void;
  log: Logger;
}

const maxStatesPerInstance = 50;
const requestTimeoutMs = 5_000;
const recordsBeforeCompaction = 2_000;

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #file: AppendLog;
  readonly #items = new Map<number, Item>();
  readonly #lastStates = new Map<string, InstanceState>();
  #lastNumber = 0;
  #records = 0;
  #isSending = false;
  #inFlight = 0;
  readonly #closed = new AbortController();
  #nudge = new AbortController();

  private constructor(options: OutboxOptions) {
    this.#options = options;
    this.#file = new AppendLog(options.path);
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    for (const record of await outbox.#file.read(options.log)) outbox.#replay(record);
    await outbox
      .#compact()
      .catch((error: unknown) => options.log.error({ err: error }, 'the outbox cannot be compacted'));
    return outbox;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Returns the state that was last added for an instance, by this agent or an earlier one. */
  lastState(instance: string): InstanceState | null {
    return this.#lastStates.get(instance) ?? null;
  }

  addState(change: InstanceStateChange): void {
    this.#lastStates.set(change.instance, change.state);
    void this.#add({ number: (this.#lastNumber += 1), kind: 'instance-state', body: change });
    const pending = [...this.#items.values()].filter(
      (item) =>
        item.kind === 'instance-state' &&
        item.body.instance === change.instance &&
        item.number !== this.#inFlight,
    );
    for (const item of pending.slice(0, -maxStatesPerInstance)) this.#remove(item);
  }

  addResult(result: CommandResult): void {
    for (const item of this.#items.values()) {
      if (item.kind === 'command-result' && item.body.command_id === result.command_id) return;
    }
    void this.#add({ number: (this.#lastNumber += 1), kind: 'command-result', body: result });
  }

  /** Resolves once the report is on disk. Rejects when it cannot be written, although it is sent anyway. */
  async addWipeReport(report: Schemas['WipeReport']): Promise<void> {
    const { wipe_id, seq } = report;
    const waiting = [...this.#items.values()].find(
      ({ kind, body }) => kind === 'wipe-status' && body.wipe_id === wipe_id && body.seq === seq,
    );
    const isKept = await (waiting === undefined
      ? this.#add({ number: (this.#lastNumber += 1), kind: 'wipe-status', body: report })
      : this.#append({ put: waiting }));
    if (!isKept) throw new Error('The outbox cannot be written.');
  }

  /** Called when the platform has replied to the greeting: sends the queued messages now. */
  flush(): void {
    this.#nudge.abort();
    void this.#send();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#nudge.abort();
    await this.#file.close();
  }

  #add(item: Item): Promise<boolean> {
    this.#items.set(item.number, item);
    const kept = this.#append({ put: item });
    void this.#send();
    return kept;
  }

  #remove(item: Item): void {
    this.#items.delete(item.number);
    void this.#append({ taken: item.number });
  }

  /** Resolves with whether the record is on disk. */
  #append(record: unknown): Promise<boolean> {
    const { log } = this.#options;
    this.#records += 1;
    const kept = this.#file.append(record).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'the outbox cannot be written');
        return false;
      },
    );
    if (this.#records >= recordsBeforeCompaction + this.#items.size)
      this.#compact().catch((error: unknown) => log.error({ err: error }, 'the outbox cannot be compacted'));
    return kept;
  }

  #compact(): Promise<void> {
    this.#records = 0;
    return this.#file.rewrite(() => [
      ...[...this.#lastStates].map(([instance, state]) => ({ last: { instance, state } })),
      ...[...this.#items.values()].map((item) => ({ put: item })),
    ]);
  }

  /** Sends one message at a time to keep the order: each must be acknowledged before the next is sent. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const backoff = new Backoff(500, 15_000);
    for (let item = this.#first(); item !== undefined; item = this.#first()) {
      if (!this.#options.isOpen() || this.#closed.signal.aborted) break;
      this.#inFlight = item.number;
      if (await this.#sendReport(item)) {
        backoff.reset();
        this.#remove(item);
        if (item.kind === 'command-result') this.#options.onResultDelivered(item.body.command_id);
      } else {
        this.#nudge = new AbortController();
        await pause(backoff.nextMs(), this.#nudge.signal);
      }
      this.#inFlight = 0;
    }
    this.#isSending = false;
  }

  #first(): Item | undefined {
    return this.#items.values().next().value;
  }

  async #sendReport(item: Item): Promise<boolean> {
    const { messages, request, log } = this.#options;
    const { kind, body } = item;
    return isAcknowledged({ kind, body, messages, log }, () => request(kind, body, requestTimeoutMs));
  }

  #replay(record: unknown): void {
    const fields = new Map<string, unknown>(
      typeof record === 'object' && record !== null ? Object.entries(record) : [],
    );
    const taken = fields.get('taken');
    if (typeof taken === 'number') {
      this.#items.delete(taken);
      return;
    }
    const last = this.#messages.check('InstanceReport', {
      uptime_seconds: 0,
      ...nameAndState(fields.get('last')),
    });
    if (last.isValid) {
      this.#lastStates.set(last.value.name, last.value.state);
      return;
    }
    if (!this.#replayItem(fields.get('put')))
      this.#options.log.warn({ record }, 'a record of the outbox is invalid');
  }

  #replayItem(put: unknown): boolean {
    const fields = new Map<string, unknown>(
      typeof put === 'object' && put !== null ? Object.entries(put) : [],
    );
    const number = fields.get('number');
    if (typeof number !== 'number') return false;
    this.#lastNumber = Math.max(this.#lastNumber, number);
    if (fields.get('kind') === 'instance-state') {
      const change = this.#messages.check('InstanceStateChange', fields.get('body'));
      if (!change.isValid) return false;
      this.#items.set(number, { number, kind: 'instance-state', body: change.value });
      this.#lastStates.set(change.value.instance, change.value.state);
      return true;
    }
    if (fields.get('kind') === 'wipe-status') {
      const report = this.#messages.check('WipeReport', fields.get('body'));
      if (report.isValid) this.#items.set(number, { number, kind: 'wipe-status', body: report.value });
      return report.isValid;
    }
    const result = this.#messages.check('CommandResult', fields.get('body'));
    if (result.isValid) this.#items.set(number, { number, kind: 'command-result', body: result.value });
    return result.isValid;
  }

  get #messages(): Messages {
    return this.#options.messages;
  }
}

function nameAndState(value: unknown): { name?: unknown; state?: unknown } {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  return { name: fields.get('instance'), state: fields.get('state') };
}

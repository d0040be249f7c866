// Persists every command, so that each is executed at most once and always gets a result.
import type { Logger } from 'pino';
import { AppendLog } from '../state-files/append-log.ts';
import type { AppendLogOptions } from '../state-files/append-log.ts';
import type { CommandEnvelope, CommandResult, Messages } from '../messages.ts';

export interface JournalEntry {
  command: CommandEnvelope;
  acceptedAtMs: number;
  startedAtMs: number | null;
  result: CommandResult | null;
  isDelivered: boolean;
}

const keptMs = 8 * 24 * 3600_000;

/** Reserved in the file for the results of commands while the disk is full. */
const reserveBytes = 256 * 1024;
/** Maximum size of the records that start, finish and deliver one accepted command. */
const endBytes = 8 * 1024;

export class Journal {
  readonly #file: AppendLog;
  readonly #messages: Messages;
  readonly #log: Logger;
  readonly #entries = new Map<string, JournalEntry>();
  /** Commands whose record is being written. */
  #acceptingCount = 0;

  private constructor(path: string, messages: Messages, log: Logger, openFile: AppendLogOptions['openFile']) {
    this.#file = new AppendLog(path, { reserveBytes, ...(openFile && { openFile }) });
    this.#messages = messages;
    this.#log = log;
  }

  static async open(
    path: string,
    messages: Messages,
    log: Logger,
    openFile?: AppendLogOptions['openFile'],
  ): Promise<Journal> {
    const journal = new Journal(path, messages, log, openFile);
    for (const record of await journal.#file.read(log)) journal.#replay(record);
    await journal
      .compact()
      .catch((error: unknown) => log.error({ file: path, err: error }, 'the journal cannot be compacted'));
    return journal;
  }

  get(id: string): JournalEntry | undefined {
    return this.#entries.get(id.toLowerCase());
  }

  /** In the order of acceptance. */
  entries(): JournalEntry[] {
    return [...this.#entries.values()];
  }

  /**
   * Throws a `NoRoomError` without writing anything when the disk lacks space for the results of this command and of
   * the open ones. After another error the command may be on disk until `erase` resolves.
   */
  async accept(command: CommandEnvelope): Promise<JournalEntry> {
    const entry = { command, acceptedAtMs: Date.now(), startedAtMs: null, result: null, isDelivered: false };
    const openCount = this.entries().filter(({ isDelivered }) => !isDelivered).length;
    this.#acceptingCount += 1;
    try {
      await this.#file.append(
        { is: 'accepted', at: entry.acceptedAtMs, command },
        { leavingBytes: (openCount + this.#acceptingCount) * endBytes },
      );
    } finally {
      this.#acceptingCount -= 1;
    }
    this.#entries.set(command.id.toLowerCase(), entry);
    return entry;
  }

  async start(entry: JournalEntry): Promise<void> {
    entry.startedAtMs = Date.now();
    await this.#file.append({ is: 'started', at: entry.startedAtMs, id: entry.command.id });
  }

  /**
   * Resolves once the result is on disk. An earlier report would be wrong: the next agent would run the command again.
   */
  async finish(entry: JournalEntry, result: CommandResult): Promise<void> {
    await this.#file.append({ is: 'finished', id: entry.command.id, result });
    entry.result = result;
  }

  /** Resolves once no rejected command is left on disk. */
  erase(): Promise<void> {
    return this.#file.erase();
  }

  /** Records that the platform has taken the result. If this record is lost, the result is sent again. */
  async deliver(commandId: string): Promise<void> {
    const entry = this.get(commandId);
    if (entry === undefined) return;
    entry.isDelivered = true;
    await this.#file.append({ is: 'delivered', id: entry.command.id });
  }

  /** Removes delivered commands that are too old to be repeated. */
  async compact(): Promise<void> {
    const oldestMs = Date.now() - keptMs;
    for (const [id, entry] of this.#entries) {
      const lastsUntilMs = Math.max(entry.acceptedAtMs, Date.parse(entry.command.expires_at));
      if (entry.isDelivered && lastsUntilMs < oldestMs) this.#entries.delete(id);
    }
    await this.#file.rewrite(() => this.entries().flatMap(recordsOf));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #replay(record: unknown): void {
    const fields = new Map<string, unknown>(
      typeof record === 'object' && record !== null ? Object.entries(record) : [],
    );
    if (fields.get('is') === 'accepted') {
      const command = this.#messages.check('CommandEnvelope', fields.get('command'));
      if (command.isValid) {
        const acceptedAtMs = timeOf(fields.get('at'));
        this.#entries.set(command.value.id.toLowerCase(), {
          command: command.value,
          acceptedAtMs,
          startedAtMs: null,
          result: null,
          isDelivered: false,
        });
        return;
      }
    }
    const entry = this.get(String(fields.get('id')));
    switch (entry === undefined ? undefined : fields.get('is')) {
      case 'started':
        if (entry !== undefined) entry.startedAtMs = timeOf(fields.get('at'));
        return;
      case 'finished': {
        const result = this.#messages.check('CommandResult', fields.get('result'));
        if (entry !== undefined && result.isValid) entry.result = result.value;
        return;
      }
      case 'delivered':
        if (entry !== undefined) entry.isDelivered = true;
        return;
      default:
        this.#log.warn({ record }, 'a record of the journal is invalid');
    }
  }
}

function recordsOf(entry: JournalEntry): unknown[] {
  const { id } = entry.command;
  const records: unknown[] = [{ is: 'accepted', at: entry.acceptedAtMs, command: entry.command }];
  if (entry.startedAtMs !== null) records.push({ is: 'started', at: entry.startedAtMs, id });
  if (entry.result !== null) records.push({ is: 'finished', id, result: entry.result });
  if (entry.isDelivered) records.push({ is: 'delivered', id });
  return records;
}

function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.now();
}

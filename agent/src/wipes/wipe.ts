// One wipe from its plan to its end: each step is on disk before it is taken, and one that fails is undone.
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';
import type { InstanceBackups } from '../backups/instance-backups.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { Instance } from '../supervisor/instance.ts';
import { changedSettings } from '../supervisor/launch-settings.ts';
import { messageOf } from '../supervisor/outcome.ts';
import { announcementsOf } from './announcements.ts';
import type { WipeAnnouncement } from './announcements.ts';
import { Game } from './game.ts';
import type { SaveFolder } from './save-folder.ts';
import { failureOf, WipeError } from './wipe-error.ts';
import { isOver } from './wipe-record.ts';
import type { WipeRecord, WipeRecordFile, WipeStatus } from './wipe-record.ts';

export interface WipeParts {
  instance: Instance;
  /** Throws where the configuration names none that can be wiped. */
  folder: () => SaveFolder;
  backups: () => Pick<InstanceBackups, 'create' | 'restore'>;
  /** There is one more. */
  onBackup: () => void;
  file: WipeRecordFile;
  /** Resolves once it is on disk that this is to be told. */
  report: (record: WipeRecord) => Promise<void>;
  log: Logger;
}

const holder = 'a wipe is under way';
/** What is said later than this would be wrong. */
const lateMs = 5_000;

/** Until then nothing has happened to the server that could not be taken back by doing nothing. */
export const mayBeCancelled = ({ status }: Pick<WipeRecord, 'status'>) =>
  status === 'planned' || status === 'announcing';

export class Wipe {
  readonly record: WipeRecord;
  readonly #parts: WipeParts;
  readonly #game: Game;
  readonly #closed = new AbortController();
  readonly #cancelled = new AbortController();
  #isCommitted: boolean;
  #running: Promise<void> = Promise.resolve();

  constructor(record: WipeRecord, parts: WipeParts) {
    this.record = record;
    this.#parts = parts;
    this.#game = new Game(parts.instance, this.#closed.signal);
    this.#isCommitted = !mayBeCancelled(record);
    if (this.#isCommitted && !isOver(record)) parts.instance.hold(holder);
  }

  get isOver(): boolean {
    return isOver(this.record);
  }

  /** Goes on from where the record is. */
  start(): void {
    this.#running = this.#run().catch((error: unknown) =>
      this.#parts.log.error({ wipe_id: this.record.id, err: error }, 'a wipe was left as it is'),
    );
  }

  /** Resolves when nothing more is done for it, and its record is not written any more. */
  ended(): Promise<void> {
    return this.#running;
  }

  /** Whether it is cancelled now. */
  async cancel(): Promise<boolean> {
    if (!this.#isCommitted) {
      this.#cancelled.abort();
      await this.#running;
    }
    return this.record.status === 'cancelled';
  }

  /** The agent ends; the next one goes on. */
  close(): void {
    this.#closed.abort();
  }

  async #run(): Promise<void> {
    let told = this.#parts.report(this.record);
    while (!this.isOver) {
      const { seq } = this.record;
      try {
        await (this.record.failure === null ? this.#step() : this.#undo());
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        await this.#recover(error);
      }
      if (this.#closed.signal.aborted) return;
      if (this.record.seq !== seq) told = this.#parts.report(this.record);
    }
    if (this.record.status !== 'failed') await this.#parts.folder().discard(this.record.id);
    await told;
    this.record.isTidy = true;
    await this.#parts.file.write(this.record);
  }

  #step(): Promise<void> {
    switch (this.record.status) {
      case 'planned':
        return this.record.request.countdown_seconds > 0 ? this.#enter('announcing') : this.#commit();
      case 'announcing':
        return this.#countDown();
      case 'stopping':
        return this.#stop();
      case 'backing_up':
        return this.#backUp();
      case 'deleting':
        return this.#delete();
      case 'starting':
        return this.#startAgain();
      case 'completed':
      case 'failed':
      case 'rolled_back':
      case 'cancelled':
        return Promise.resolve();
    }
  }

  async #countDown(): Promise<void> {
    const { dueAtMs, request } = this.record;
    for (const announcement of announcementsOf(request)) {
      const atMs = dueAtMs - announcement.before_seconds * 1_000;
      if (await this.#waitUntil(atMs)) await this.#announce(announcement, atMs);
    }
    if (await this.#waitUntil(dueAtMs)) return this.#commit();
    this.#closed.signal.throwIfAborted();
    return this.#finish('cancelled', 'It was cancelled before the server was stopped.');
  }

  /** Noted before it is said, so that a killed agent says nothing twice. */
  async #announce({ before_seconds, text }: WipeAnnouncement, atMs: number): Promise<void> {
    const { announcedSeconds } = this.record;
    if (announcedSeconds !== null && announcedSeconds <= before_seconds) return;
    if (Date.now() > atMs + lateMs) return;
    await this.#note({ announcedSeconds: before_seconds });
    this.#game.announce(text);
  }

  /** False when it was cancelled, or the agent ends. */
  async #waitUntil(ms: number): Promise<boolean> {
    const signal = AbortSignal.any([this.#cancelled.signal, this.#closed.signal]);
    while (Date.now() < ms && !signal.aborted) await pause(ms - Date.now(), signal);
    return !signal.aborted;
  }

  /** From here on it can't be cancelled. */
  async #commit(): Promise<void> {
    this.#isCommitted = true;
    const { instance } = this.#parts;
    const wasRunning = instance.isMeantToRun;
    instance.hold(holder);
    const saveBefore = await this.#game.saveTime();
    await this.#enter('stopping', { wasRunning, saveBefore, begunAtMs: Date.now() });
  }

  async #stop(): Promise<void> {
    await this.#game.stop();
    if (this.record.request.backup) await this.#enter('backing_up');
    else await this.#enterDeleting(false);
  }

  async #backUp(): Promise<void> {
    const { id } = this.record;
    try {
      await this.#parts.backups().create({ id, kind: 'wipe', paths: [this.#parts.folder().path] });
      this.#parts.onBackup();
    } catch (error) {
      // A server that never ran has nothing to be backed up.
      if (!(error instanceof FileError && error.code === 'not_found'))
        throw new WipeError('backup_failed', messageOf(error), { cause: error });
    }
    await this.#enterDeleting(true);
  }

  async #enterDeleting(hasBackup: boolean): Promise<void> {
    await this.#enter('deleting', { hasBackup, ...(await this.#found()) });
  }

  /** All that is to be deleted, together with what an agent before this one has moved already. */
  async #found(): Promise<Pick<WipeRecord, 'names' | 'deletedBytes'>> {
    const { names, deletedBytes, request } = this.record;
    const more = (await this.#parts.folder().plan(request.kind)).filter(({ name }) => !names.includes(name));
    return {
      names: [...names, ...more.map(({ name }) => name)],
      deletedBytes: more.reduce((sum, { size }) => sum + size, deletedBytes),
    };
  }

  async #delete(): Promise<void> {
    const { instance, folder } = this.#parts;
    await this.#note(await this.#found());
    const { id, names, launchBefore, request, wasRunning } = this.record;
    await folder().setAside(id, names);
    await instance.context.launch.write(changedSettings(launchBefore, request));
    if (!wasRunning && !request.start) return this.#finish('completed', this.#deleted());
    const { wipeStartMs } = instance.context.config;
    return this.#enter('starting', { startDeadlineMs: Date.now() + wipeStartMs });
  }

  async #startAgain(): Promise<void> {
    await this.#game.start();
    await this.#game.untilBegunAnew(this.record);
    await this.#finish('completed', this.#deleted());
  }

  /** Brings everything back to where it was; done again after an interruption, it goes on with what is left. */
  async #undo(): Promise<void> {
    const { wasRunning, failure } = this.record;
    if (!this.record.isPutBack) {
      await this.#putBack();
      await this.#note({ isPutBack: true });
    }
    if (wasRunning && this.#parts.instance.pid === null) await this.#game.start();
    await this.#finish('rolled_back', `${failure?.detail ?? ''} Everything is as it was.`.trim());
  }

  async #putBack(): Promise<void> {
    const { id, status, names, launchBefore, request, hasBackup } = this.record;
    const { instance, folder, backups } = this.#parts;
    if (status !== 'deleting' && status !== 'starting') return;
    if (status === 'starting') await this.#game.stop();
    const missing = await folder().putBack(id, names, status === 'starting' ? request.kind : null);
    if (missing.length > 0 && !hasBackup)
      throw new Error(`Of the files that were set aside these are gone: ${missing.join(', ')}.`);
    if (missing.length > 0) await backups().restore(id);
    await instance.context.launch.write(launchBefore);
  }

  /** A step that fails is undone; what can't be undone either is left as it is, and said so. */
  async #recover(error: unknown): Promise<void> {
    const { record } = this;
    this.#parts.log.error({ wipe_id: record.id, status: record.status, err: error }, 'a wipe failed');
    if (record.failure === null) {
      record.failure = failureOf(error);
      await this.#tryWrite();
      return;
    }
    const left = record.isPutBack
      ? ''
      : ` What was set aside is in ${this.#parts.folder().asidePath(record.id)}.`;
    const detail = `${record.failure.detail} It could not be undone: ${failureOf(error).detail}${left}`;
    await this.#finish('failed', detail);
  }

  #deleted(): string {
    const count = this.record.names.length;
    return count === 1 ? '1 file was deleted.' : `${count} files were deleted.`;
  }

  /** What has happened is told even where it can't be written down. */
  async #finish(status: WipeStatus, detail: string): Promise<void> {
    Object.assign(this.record, { status, detail, seq: this.record.seq + 1 });
    await this.#tryWrite();
    this.#parts.instance.letGo();
  }

  /** On disk before anything of the step is done. */
  #enter(status: WipeStatus, changes: Partial<WipeRecord> = {}): Promise<void> {
    return this.#note({ ...changes, status, seq: this.record.seq + 1 });
  }

  #note(changes: Partial<WipeRecord>): Promise<void> {
    Object.assign(this.record, changes);
    return this.#parts.file.write(this.record);
  }

  async #tryWrite(): Promise<void> {
    const { id } = this.record;
    await this.#parts.file.write(this.record).catch((error: unknown) => {
      this.#parts.log.error({ wipe_id: id, err: error }, 'the record of a wipe cannot be written');
    });
  }
}

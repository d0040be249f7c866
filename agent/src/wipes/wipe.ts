// Runs one wipe as a state machine: each step is on disk before it is taken, and a failed step is undone.
import { aborted, pause, untilDone } from '../backoff.ts';
import { changedSettings } from '../supervisor/launch-settings.ts';
import { announcementsOf, type WipeAnnouncement } from './announcements.ts';
import { Game } from './game.ts';
import { backUp, filesToDelete, startFailureAhead } from './preparations.ts';
import { putBack, whereaboutsOf } from './putting-back.ts';
import { settle } from './settling.ts';
import { failureOf, WipeError } from './wipe-error.ts';
import type { WipeParts } from './wipe-parts.ts';
import { deletedInWords, expiryOf, isOver } from './wipe-record.ts';
import type { WipeRecord, WipeStatus } from './wipe-record.ts';

const holder = 'a wipe is under way';
/** An announcement that is more than 5 s late would state a wrong time, so it is skipped. */
const lateMs = 5_000;
/** A caller waits at most 20 s for work that may be blocked by a full disk. */
const patienceMs = 20_000;

/** While planned or announcing, the server is unchanged, so cancelling needs no undo. */
export const mayBeCancelled = ({ status }: Pick<WipeRecord, 'status'>) =>
  status === 'planned' || status === 'announcing';

export class Wipe {
  readonly record: WipeRecord;
  readonly #parts: WipeParts;
  readonly #game: Game;
  readonly #closed = new AbortController();
  readonly #cancelled = new AbortController();
  #isResumed = false;
  #isBarring: boolean;
  #isCommitted: boolean;
  #running: Promise<void> | null = null;

  constructor(record: WipeRecord, parts: WipeParts) {
    this.record = record;
    this.#parts = parts;
    this.#game = new Game(parts.instance, this.#closed.signal);
    this.#isCommitted = !mayBeCancelled(record);
    this.#isBarring = this.#isCommitted;
    if (this.#isCommitted && !isOver(record)) parts.instance.hold(holder);
  }

  get isOver(): boolean {
    return isOver(this.record);
  }

  /** Whether other commands must leave the server alone now. */
  get isBarring(): boolean {
    return this.#isBarring && !this.isOver;
  }

  /** Continues from the recorded status. */
  start(): void {
    this.#running = this.#run()
      .catch((error: unknown) => {
        if (!this.#closed.signal.aborted)
          this.#parts.log.error({ wipe_id: this.record.id, err: error }, 'a wipe was left as it is');
      })
      .finally(() => (this.#running = null));
  }

  /** Continues a wipe of an earlier agent. */
  resume(): void {
    this.#isResumed = true;
    this.start();
  }

  /** Returns whether the wipe needs no more work. Retries what failed before. */
  async settled(): Promise<boolean> {
    await this.#rest();
    if (this.isOver && !this.record.isTidy && this.#running === null) {
      this.start();
      await this.#rest();
    }
    return this.record.isTidy;
  }

  async cancel(): Promise<boolean> {
    if (!this.#isCommitted) {
      this.#cancelled.abort();
      await this.#rest();
    }
    return this.record.status === 'cancelled';
  }

  /** Called when the agent shuts down; the next agent continues the wipe. */
  close(): void {
    this.#closed.abort();
  }

  /** Waits until the current work ends, for at most 20 s. */
  async #rest(): Promise<void> {
    const enough = new AbortController();
    await Promise.race([this.#running, pause(patienceMs, enough.signal)]);
    enough.abort();
  }

  async #run(): Promise<void> {
    let toldSeq = 0;
    while (!this.isOver) {
      if (this.record.seq !== toldSeq) this.#tell();
      toldSeq = this.record.seq;
      try {
        await (this.record.failure === null ? this.#step() : this.#undo());
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        await this.#recover(error);
      }
      if (this.#closed.signal.aborted) return;
    }
    await settle(this.record, this.#parts, this.#closed.signal);
    await this.#note({ isTidy: true });
  }

  /** A lost report is not retried, because the next one replaces it. */
  #tell(): void {
    this.#parts
      .report(this.record)
      .catch((error: unknown) => this.#complain(error, 'a report of a wipe cannot be kept'));
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
    await this.#waitUntil(dueAtMs);
    this.#closed.signal.throwIfAborted();
    return this.#commit();
  }

  /** Recorded before it is sent, so that a killed agent does not announce twice. */
  async #announce({ before_seconds, text }: WipeAnnouncement, atMs: number): Promise<void> {
    const { announcedSeconds } = this.record;
    if (announcedSeconds !== null && announcedSeconds <= before_seconds) return;
    if (this.#parts.nowMs() > atMs + lateMs) return;
    await this.#note({ announcedSeconds: before_seconds });
    void this.#game.announce(text); // not awaited: a silent server must not delay the wipe
  }

  /** Returns false when the wipe was cancelled or the agent is shutting down. */
  async #waitUntil(ms: number): Promise<boolean> {
    const signal = AbortSignal.any([this.#cancelled.signal, this.#closed.signal]);
    while (this.#parts.nowMs() < ms && !signal.aborted) await pause(ms - this.#parts.nowMs(), signal);
    return !signal.aborted;
  }

  async #commit(): Promise<void> {
    const expiry = expiryOf(this.record, this.#parts.nowMs());
    if (expiry !== null && !this.#cancelled.signal.aborted)
      return this.#finish('failed', expiry.detail, { failure: expiry });
    await this.#untilFree();
    const failure = await startFailureAhead(this.#parts.instance);
    this.#closed.signal.throwIfAborted();
    if (this.#cancelled.signal.aborted)
      return this.#finish('cancelled', 'It was cancelled before the server was stopped.');
    if (failure !== null) return this.#finish('failed', failure.detail, { failure });
    this.#isCommitted = true; // no cancellation from here on
    const { instance } = this.#parts;
    this.record.wasRunning = instance.isMeantToRun;
    instance.hold(holder);
    const saveBefore = await this.#game.saveTime();
    await this.#enter('stopping', { saveBefore, begunAtMs: Date.now() });
  }

  /** Gives the platform time to cancel a resumed wipe, and waits for conflicting commands to finish. */
  async #untilFree(): Promise<void> {
    const enough = AbortSignal.any([this.#cancelled.signal, this.#closed.signal]);
    if (this.#isResumed) await Promise.race([this.#parts.heard(), aborted(enough)]);
    if (enough.aborted) return;
    this.#isBarring = true;
    await Promise.race([this.#parts.free(), aborted(enough)]);
  }

  async #stop(): Promise<void> {
    await this.#game.stop();
    if (this.record.request.backup) await this.#enter('backing_up');
    else await this.#enterDeleting(false);
  }

  async #backUp(): Promise<void> {
    await this.#stopAgain();
    await backUp(this.record, this.#parts);
    await this.#enterDeleting(true);
  }

  /** An earlier agent may have undone the wipe and started the server without being able to record that. */
  async #stopAgain(): Promise<void> {
    if (this.#parts.instance.pid !== null) await this.#game.stop();
  }

  async #enterDeleting(hasBackup: boolean): Promise<void> {
    await this.#enter('deleting', { hasBackup, ...(await filesToDelete(this.record, this.#parts)) });
  }

  async #delete(): Promise<void> {
    const { instance, folder } = this.#parts;
    await this.#stopAgain();
    await this.#note(await filesToDelete(this.record, this.#parts));
    const { id, names, launchBefore, request, wasRunning } = this.record;
    await folder().setAside(id, names);
    await instance.context.launch.write(changedSettings(launchBefore, request));
    if (!wasRunning && !request.start) return this.#finish('completed', deletedInWords(this.record));
    return this.#enter('starting');
  }

  /** The start timeout begins now, even if an earlier agent had already started the server. */
  async #startAgain(): Promise<void> {
    const { id, names } = this.record;
    if (names.length > 0 && !(await this.#parts.folder().isSetAside(id)))
      throw new WipeError('internal', 'What was set aside is not there any more.');
    const deadlineMs = performance.now() + this.#parts.instance.context.config.wipeStartMs;
    await this.#game.start();
    await this.#game.untilBegunAnew(this.record, deadlineMs);
    await this.#finish('completed', deletedInWords(this.record));
  }

  /** Restores files and parameters. The server is started again even if the progress cannot be recorded. */
  async #undo(): Promise<void> {
    const { record } = this;
    if (!record.isPutBack) {
      await putBack(record, this.#parts, this.#game, this.#closed.signal);
      record.isPutBack = true;
      await this.#tryWrite();
    }
    if (record.wasRunning && this.#parts.instance.pid === null) await this.#game.start();
    await this.#finish('rolled_back', `${record.failure?.detail ?? ''} Everything is as it was.`.trim());
  }

  /** A failed step is undone. When the undo fails too, the wipe is left as it is and reported as failed. */
  async #recover(error: unknown): Promise<void> {
    const { record } = this;
    this.#complain(error, 'a wipe failed');
    if (record.failure === null) {
      record.failure = failureOf(error);
      await this.#tryWrite();
      return;
    }
    const left = record.isPutBack ? '' : await whereaboutsOf(record, this.#parts);
    const detail = `${record.failure.detail} It could not be undone: ${failureOf(error).detail}${left}`;
    await this.#finish('failed', detail);
  }

  /** Writes the result to disk before the wipe counts as over; otherwise the next agent would continue the wipe. */
  async #finish(status: WipeStatus, detail: string, changes: Partial<WipeRecord> = {}): Promise<void> {
    this.#parts.instance.letGo(holder);
    await untilDone(
      () => this.#enter(status, { ...changes, detail }),
      this.#closed.signal,
      (error) => this.#complain(error, 'the end of a wipe cannot be written down yet'),
    );
  }

  /** Writes the status to disk before any action of the step. */
  #enter(status: WipeStatus, changes: Partial<WipeRecord> = {}): Promise<void> {
    return this.#note({ ...changes, status, seq: this.record.seq + 1 });
  }

  async #note(changes: Partial<WipeRecord>): Promise<void> {
    await this.#parts.file.write({ ...this.record, ...changes });
    Object.assign(this.record, changes);
  }

  /** For changes that take effect even if they cannot be stored; the next agent would repeat them. */
  async #tryWrite(): Promise<void> {
    await this.#parts.file
      .write(this.record)
      .catch((error: unknown) => this.#complain(error, 'the record of a wipe cannot be written'));
  }

  #complain(error: unknown, message: string): void {
    const { id, status } = this.record;
    this.#parts.log.error({ wipe_id: id, status, err: error }, message);
  }
}

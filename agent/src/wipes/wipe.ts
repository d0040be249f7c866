// Runs one wipe as a state machine: each step is on disk before it is taken, and a failed step is undone.
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { aborted, pause, untilDone } from '../backoff.ts';
import type { InstanceBackups } from '../backups/instance-backups.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { Instance } from '../supervisor/instance.ts';
import { changedSettings } from '../supervisor/launch-settings.ts';
import type { LaunchSettings, LaunchSettingsFile } from '../supervisor/launch-settings.ts';
import { messageOf } from '../supervisor/outcome.ts';
import { objectionToStart } from '../supervisor/start-check.ts';
import { announcementsOf, type WipeAnnouncement } from './announcements.ts';
import { GameServer } from './game-server.ts';
import type { SaveFolder } from './save-folder.ts';
import { deletedText, expiryOf, failureOf, isOver, WipeError } from './wipe-record.ts';
import type { WipeFailure, WipeRecord, WipeRecordFile, WipeStatus } from './wipe-record.ts';

export interface WipeParts {
  instance: Instance;
  /** Throws when the configuration names no save folder that can be wiped. */
  folder: () => SaveFolder;
  backups: () => Pick<InstanceBackups, 'create' | 'restore'>;
  /** Called when the instance has one more backup. */
  onBackup: () => void;
  file: WipeRecordFile;
  /** Resolves once the report is on disk and will be delivered. */
  report: (record: WipeRecord) => Promise<void>;
  /** Resolves once the platform has had time to cancel a wipe that it requested before the agent was away. */
  untilCancellable: () => Promise<void>;
  /** Resolves once no conflicting command is running on the instance. */
  untilFree: () => Promise<void>;
  /** The platform's time, in which `dueAtMs` is given. */
  nowMs: () => number;
  log: Logger;
}

const holder = 'a wipe is under way';
/** An announcement that is more than 5 s late would state a wrong time, so it is skipped. */
const maxLateMs = 5_000;
/** A caller waits at most 20 s for work that may be blocked by a full disk. */
const maxWaitMs = 20_000;

/** While planned or announcing, the server is unchanged, so cancelling needs no undo. */
export const canBeCancelled = ({ status }: Pick<WipeRecord, 'status'>) =>
  status === 'planned' || status === 'announcing';

/** Returns why the agent could not confirm a restart over RCON, or null when no obstacle is known. */
export function rconObstacle({
  isMeantToRun,
  context,
}: Pick<Instance, 'isMeantToRun' | 'context'>): string | null {
  const state = context.rcon?.state;
  if (!isMeantToRun || state?.is !== 'refused') return null;
  return `The server was not wiped: a wipe is complete once the server replies over RCON, and it does not. ${state.detail}`;
}

export class Wipe {
  readonly record: WipeRecord;
  readonly #parts: WipeParts;
  readonly #game: GameServer;
  readonly #closed = new AbortController();
  readonly #cancelled = new AbortController();
  #isResumed = false;
  #blocksCommands: boolean;
  #isCommitted: boolean;
  #running: Promise<void> | null = null;

  constructor(record: WipeRecord, parts: WipeParts) {
    this.record = record;
    this.#parts = parts;
    this.#game = new GameServer(parts.instance, this.#closed.signal);
    this.#isCommitted = !canBeCancelled(record);
    this.#blocksCommands = this.#isCommitted;
    if (this.#isCommitted && !isOver(record)) parts.instance.hold(holder);
  }

  get isOver(): boolean {
    return isOver(this.record);
  }

  /** Whether other commands must leave the server alone now. */
  get blocksCommands(): boolean {
    return this.#blocksCommands && !this.isOver;
  }

  /** Continues from the recorded status. */
  start(): void {
    this.#running = this.#run()
      .catch((error: unknown) => {
        if (!this.#closed.signal.aborted)
          this.#parts.log.error({ wipe_id: this.record.id, err: error }, 'a wipe was abandoned');
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
    await this.#untilIdle();
    if (this.isOver && !this.record.isTidy && this.#running === null) {
      this.start();
      await this.#untilIdle();
    }
    return this.record.isTidy;
  }

  async cancel(): Promise<boolean> {
    if (!this.#isCommitted) {
      this.#cancelled.abort();
      await this.#untilIdle();
    }
    return this.record.status === 'cancelled';
  }

  /** Called when the agent shuts down; the next agent continues the wipe. */
  close(): void {
    this.#closed.abort();
  }

  /** Waits until the current work ends, for at most 20 s. */
  async #untilIdle(): Promise<void> {
    const enough = new AbortController();
    await Promise.race([this.#running, pause(maxWaitMs, enough.signal)]);
    enough.abort();
  }

  async #run(): Promise<void> {
    let reportedSeq = 0;
    while (!this.isOver) {
      if (this.record.seq !== reportedSeq) this.#report();
      reportedSeq = this.record.seq;
      try {
        await (this.record.failure === null ? this.#step() : this.#undo());
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        await this.#recordFailure(error);
      }
      if (this.#closed.signal.aborted) return;
    }
    await this.#tidyUp();
  }

  /** A lost report is not retried, because the next one replaces it. */
  #report(): void {
    this.#parts
      .report(this.record)
      .catch((error: unknown) => this.#logError(error, 'a wipe report cannot be stored'));
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

  // planned, announcing

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
    if (this.#parts.nowMs() > atMs + maxLateMs) return;
    await this.#write({ announcedSeconds: before_seconds });
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
    const failure = await this.#expectedStartFailure();
    this.#closed.signal.throwIfAborted();
    if (this.#cancelled.signal.aborted)
      return this.#finish('cancelled', 'It was cancelled before the server was stopped.');
    if (failure !== null) return this.#finish('failed', failure.detail, { failure });
    this.#isCommitted = true; // no cancellation from here on
    const { instance } = this.#parts;
    // In memory at once: if the next status cannot be written, the undo has to know it.
    this.record.wasRunning = instance.isMeantToRun;
    instance.hold(holder);
    const saveBefore = await this.#game.saveTime();
    await this.#enter('stopping', { saveBefore, begunAtMs: Date.now() });
  }

  /** Gives the platform time to cancel a resumed wipe, and waits for conflicting commands to finish. */
  async #untilFree(): Promise<void> {
    const enough = AbortSignal.any([this.#cancelled.signal, this.#closed.signal]);
    if (this.#isResumed) await Promise.race([this.#parts.untilCancellable(), aborted(enough)]);
    if (enough.aborted) return;
    this.#blocksCommands = true;
    await Promise.race([this.#parts.untilFree(), aborted(enough)]);
  }

  /** Returns why a running server could not be started again; null when it could or is not running. */
  async #expectedStartFailure(): Promise<WipeFailure | null> {
    const { isMeantToRun, context } = this.#parts.instance;
    const objection = isMeantToRun ? await objectionToStart(context) : null;
    return objection === null ? null : { code: 'start_failed', detail: objection.detail };
  }

  // stopping, backing_up, deleting, starting

  async #stop(): Promise<void> {
    await this.#game.stop();
    if (this.record.request.backup) await this.#enter('backing_up');
    else await this.#enterDeleting(false);
  }

  async #backUp(): Promise<void> {
    await this.#stopAgain();
    const { backups, folder, onBackup } = this.#parts;
    try {
      await backups().create({ id: this.record.id, kind: 'wipe', paths: [folder().path] });
      onBackup();
    } catch (error) {
      // A server that has never run has nothing to back up.
      if (!(error instanceof FileError && error.code === 'not_found'))
        throw new WipeError('backup_failed', messageOf(error), { cause: error });
    }
    await this.#enterDeleting(true);
  }

  /** An earlier agent may have undone the wipe and started the server without being able to record that. */
  async #stopAgain(): Promise<void> {
    if (this.#parts.instance.pid !== null) await this.#game.stop();
  }

  async #enterDeleting(hasBackup: boolean): Promise<void> {
    await this.#enter('deleting', { hasBackup, ...(await this.#filesToDelete()) });
  }

  async #delete(): Promise<void> {
    const { instance, folder } = this.#parts;
    await this.#stopAgain();
    await this.#write(await this.#filesToDelete());
    const { id, names, launchBefore, request, wasRunning } = this.record;
    await folder().setAside(id, names);
    await instance.context.launch.write(changedSettings(launchBefore, request));
    if (!wasRunning && !request.start) return this.#finish('completed', deletedText(this.record));
    return this.#enter('starting');
  }

  /** Returns all files to delete, including those that an earlier agent has already moved. */
  async #filesToDelete(): Promise<Pick<WipeRecord, 'names' | 'deletedBytes'>> {
    const { names, deletedBytes, request } = this.record;
    const plan = await this.#parts.folder().plan(request.kind);
    const more = plan.filter(({ name }) => !names.includes(name));
    return {
      names: [...names, ...more.map(({ name }) => name)],
      deletedBytes: more.reduce((sum, { size }) => sum + size, deletedBytes),
    };
  }

  /** The start timeout begins now, even if an earlier agent had already started the server. */
  async #startAgain(): Promise<void> {
    const { id, names } = this.record;
    if (names.length > 0 && !(await this.#parts.folder().isSetAside(id)))
      throw new WipeError('internal', 'The files that the wipe moved away are missing.');
    const deadlineMs = performance.now() + this.#parts.instance.context.config.wipeStartMs;
    await this.#game.start();
    await this.#game.untilNewSave(this.record, deadlineMs);
    await this.#finish('completed', deletedText(this.record));
  }

  // failures

  /** A failed step is undone. When the undo fails too, nothing more is changed and the wipe is reported as failed. */
  async #recordFailure(error: unknown): Promise<void> {
    const { record } = this;
    this.#logError(error, 'a wipe failed');
    if (record.failure === null) {
      record.failure = failureOf(error);
      await this.#tryWrite();
      return;
    }
    const remaining = record.isPutBack ? '' : await this.#revealed();
    const detail = `${record.failure.detail} It could not be undone: ${failureOf(error).detail}${remaining}`;
    await this.#finish('failed', detail);
  }

  /** Restores files and parameters. The server is started again even if the progress cannot be recorded. */
  async #undo(): Promise<void> {
    const { record } = this;
    if (!record.isPutBack) {
      await this.#restore();
      record.isPutBack = true;
      await this.#tryWrite();
    }
    if (record.wasRunning && this.#parts.instance.pid === null) await this.#game.start();
    await this.#finish('rolled_back', `${record.failure?.detail ?? ''} All changes were undone.`.trim());
  }

  /** Idempotent: after an interruption, a second call continues with the remaining files. */
  async #restore(): Promise<void> {
    const { id, status, names, launchBefore, request, hasBackup } = this.record;
    const { instance, folder, backups } = this.#parts;
    if (status !== 'deleting' && status !== 'starting') return;
    if (status === 'starting') await this.#game.stop();
    const missing = await folder().putBack(id, names, status === 'starting' ? request.kind : null);
    if (missing.length > 0 && !hasBackup)
      throw new Error(`These files were moved away and are missing: ${missing.join(', ')}.`);
    if (missing.length > 0) await backups().restore(id);
    const { launch } = instance.context;
    // A server started with the new parameters would create a different world over the restored one.
    await untilDone(
      () => writeIfChanged(launch, launchBefore),
      this.#closed.signal,
      (error) => this.#logError(error, 'the start parameters cannot be restored yet'),
    );
  }

  /** Moves files that could not be restored to a folder that users can reach, and returns a sentence that names it. */
  async #revealed(): Promise<string> {
    const { id } = this.record;
    const { folder } = this.#parts;
    try {
      const path = await folder().reveal(id);
      return path === null ? '' : ` The files that were set aside are in ${path}.`;
    } catch (error) {
      this.#logError(error, 'the files that a wipe moved away cannot be moved');
      return ` The files that were set aside are in ${folder().asidePath(id)}.`;
    }
  }

  // results

  /** Writes the result to disk before the wipe counts as over; otherwise the next agent would continue the wipe. */
  async #finish(status: WipeStatus, detail: string, changes: Partial<WipeRecord> = {}): Promise<void> {
    this.#parts.instance.letGo(holder);
    await untilDone(
      () => this.#enter(status, { ...changes, detail }),
      this.#closed.signal,
      (error) => this.#logError(error, 'the result of a wipe cannot be recorded yet'),
    );
  }

  /** Resolves once the result is stored for delivery and no set-aside files remain hidden. */
  async #tidyUp(): Promise<void> {
    const reported = untilDone(
      () => this.#parts.report(this.record),
      this.#closed.signal,
      (error) => this.#logError(error, 'the result of a wipe cannot be stored for delivery yet'),
    );
    await Promise.all([reported, this.#clearAway()]);
    await this.#write({ isTidy: true });
  }

  async #clearAway(): Promise<void> {
    const { id, status } = this.record;
    const folder = this.#parts.folder();
    if (status !== 'failed')
      try {
        await folder.discard(id);
        return;
      } catch (error) {
        this.#logError(error, 'the files that a wipe moved away cannot be deleted');
      }
    await folder.reveal(id);
  }

  // the record

  /** Writes the status to disk before any action of the step. */
  #enter(status: WipeStatus, changes: Partial<WipeRecord> = {}): Promise<void> {
    return this.#write({ ...changes, status, seq: this.record.seq + 1 });
  }

  async #write(changes: Partial<WipeRecord>): Promise<void> {
    await this.#parts.file.write({ ...this.record, ...changes });
    Object.assign(this.record, changes);
  }

  /** For changes that take effect even if they cannot be stored; the next agent would repeat them. */
  async #tryWrite(): Promise<void> {
    await this.#parts.file
      .write(this.record)
      .catch((error: unknown) => this.#logError(error, 'the record of a wipe cannot be written'));
  }

  #logError(error: unknown, message: string): void {
    const { id, status } = this.record;
    this.#parts.log.error({ wipe_id: id, status, err: error }, message);
  }
}

async function writeIfChanged(launch: LaunchSettingsFile, settings: LaunchSettings): Promise<void> {
  if (!isDeepStrictEqual(launch.read(), settings)) await launch.write(settings);
}

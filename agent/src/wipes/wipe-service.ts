// Manages the wipes of this host's instances: plans, begins, cancels, recovers and reports them.
import type { Logger } from 'pino';
import { aborted, pause } from '../backoff.ts';
import type { InstanceBackups } from '../backups/instance-backups.ts';
import type { PlatformClock } from '../clock.ts';
import type { HandlersOf } from '../commands/command-handler.ts';
import type { StateDirectory } from '../state-files/state-directory.ts';
import { asFileError, FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { cutDetail } from '../messages.ts';
import type { CommandEnvelope, Messages, Schemas } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { argumentsWith, changedSettings, launchParametersOf } from '../supervisor/launch-settings.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { announcementsOf } from './announcements.ts';
import { canBeCancelled, rconObstacle, Wipe } from './wipe.ts';
import { SaveFolder } from './save-folder.ts';
import { isOver, newRecord, WipeRecordFile } from './wipe-record.ts';
import type { WipeRecord, WipeRequest } from './wipe-record.ts';

export interface WipeServiceOptions {
  supervisor: Pick<Supervisor, 'instance' | 'instances'>;
  files: (instance: string) => InstanceFiles | undefined;
  backups: (instance: string) => InstanceBackups | undefined;
  /** Called when the instance has one more backup. */
  onBackup: (instance: string) => void;
  directory: StateDirectory;
  messages: Messages;
  clock: PlatformClock;
  /** Resolves once the report is on disk. Rejects when it cannot be stored. */
  report: (report: Schemas['WipeReport']) => Promise<void>;
  /** Resolves once no command with one of these verbs is running on the instance. */
  untilEnded: (instance: string, verbs: readonly CommandEnvelope['verb'][]) => Promise<void>;
  log: Logger;
}

const otherGame = 'Only Rust servers can be wiped: which files to delete for other games is unknown.';

/** Commands that conflict with a wipe once it has begun to stop the server. */
const conflicting: readonly CommandEnvelope['verb'][] = [
  'create_backup',
  'deliver',
  'restore_backup',
  'restart',
  'start',
  'stop',
];

export class WipeService {
  readonly #options: WipeServiceOptions;
  /** The last wipe of each instance, while it still has work to do. */
  readonly #wipes = new Map<string, Wipe>();
  readonly #cancellation = new CancellationWindow();

  /** Holds every instance with an unfinished wipe, so that nothing starts it before the wipe continues. */
  constructor(options: WipeServiceOptions) {
    this.#options = options;
    for (const instance of options.supervisor.instances) {
      const record = this.#fileOf(instance).read();
      if (record !== null) this.#wipes.set(instance.name, this.#wipe(record, instance));
    }
  }

  /** Continues the wipes that an earlier agent left unfinished. */
  recover(): void {
    this.#cancellation.begin();
    for (const wipe of this.#wipes.values()) if (!wipe.record.isTidy) wipe.resume();
  }

  /** Called when the platform has replied to the greeting and sends the commands it has queued. */
  greeted(): void {
    this.#cancellation.greeted();
  }

  close(): void {
    this.#cancellation.close();
    for (const wipe of this.#wipes.values()) wipe.close();
  }

  isUnderWay(instance: string): boolean {
    const wipe = this.#wipes.get(instance);
    return wipe !== undefined && !wipe.isOver;
  }

  /** Called when the instance has been removed. */
  forget(instance: string): void {
    this.#wipes.get(instance)?.close();
    this.#wipes.delete(instance);
  }

  /** Returns why the command must wait until a wipe is over, or null when it need not wait. */
  objectionTo({ instance, verb, args }: CommandEnvelope): Outcome | null {
    const wipe = instance === undefined ? undefined : this.#wipes.get(instance);
    if (wipe === undefined || wipe.isOver) return null;
    const isInTheWay =
      verb === 'wipe'
        ? args['wipe_id'] !== wipe.record.id
        : wipe.blocksCommands && conflicting.includes(verb);
    return isInTheWay ? failed('wipe_under_way', 'The instance is being wiped.') : null;
  }

  /** Both commands are idempotent: they only start or cancel work that runs in the background. */
  get commands(): HandlersOf<'wipe' | 'cancel_wipe'> {
    const handler = <C extends { instance: string }>(
      work: (command: C, instance: Instance) => Promise<Outcome>,
    ) => ({
      queueOf: ({ instance }: { instance: string }) => instance,
      run: work,
      outcomeAfterInterruption: async (command: C) => {
        const instance = this.#options.supervisor.instance(command.instance);
        return instance === undefined ? undefined : work(command, instance);
      },
    });
    return {
      wipe: { ...handler(({ args }, instance) => this.#begin(args, instance)), supersedesWaits: true },
      cancel_wipe: handler(({ args }, instance) => this.#cancel(args, instance)),
    };
  }

  /** Returns what a wipe would do now. Throws a FileError. */
  async plan(instance: Instance, request: WipeRequest): Promise<Schemas['WipePlan']> {
    const { config, launch } = instance.context;
    if (config.game !== 'rust') throw new FileError('refused', otherGame);
    const folder = this.#folderOf(instance);
    const files = await folder.plan(request.kind);
    const settings = launch.read();
    return {
      files: files.map(({ name, size }) => ({ path: folder.pathOf(name), size })),
      total_bytes: files.reduce((sum, { size }) => sum + size, 0),
      stops: instance.isMeantToRun,
      starts: instance.isMeantToRun || request.start,
      launch_before: launchParametersOf(argumentsWith(config.args, settings)),
      launch_after: launchParametersOf(argumentsWith(config.args, changedSettings(settings, request))),
      announcements: announcementsOf(request),
    };
  }

  /** Succeeds once the wipe is on disk. Idempotent for the same wipe id. */
  async #begin({ wipe_id, request }: Schemas['WipeArguments'], instance: Instance): Promise<Outcome> {
    const id = wipe_id.toLowerCase();
    const begun = succeeded('The wipe is planned.');
    if (this.#wipes.get(instance.name)?.record.id === id) return begun;
    if (instance.context.config.game !== 'rust') return failed('not_supported', otherGame);
    const reason = rconObstacle(instance);
    if (reason !== null) return failed('game_unreachable', reason);
    try {
      await this.#folderOf(instance).plan(request.kind);
    } catch (error) {
      return failed('files_refused', asFileError(error).message);
    }
    if ((await this.#wipes.get(instance.name)?.settled()) === false)
      return failed('files_refused', 'The files that an earlier wipe moved away cannot be deleted yet.');
    const record = newRecord(id, request, instance.context.launch.read(), this.#options.clock.nowMs());
    await this.#plan(instance, record);
    const wipe = this.#wipe(record, instance);
    this.#wipes.set(instance.name, wipe);
    wipe.start();
    return begun;
  }

  /** A plan may be on disk although its write failed. It is removed, or the next agent would begin the wipe. */
  async #plan(instance: Instance, record: WipeRecord): Promise<void> {
    const file = this.#fileOf(instance);
    try {
      await file.write(record);
    } catch (error) {
      if (file.read()?.id === record.id) await file.remove();
      throw error;
    }
  }

  async #cancel({ wipe_id }: Schemas['CancelWipeArguments'], instance: Instance): Promise<Outcome> {
    const wipe = this.#wipes.get(instance.name);
    if (wipe?.record.id !== wipe_id.toLowerCase())
      return failed('wipe_begun', 'This instance has no such wipe.');
    if (await wipe.cancel()) return succeeded('The wipe is cancelled.');
    if (canBeCancelled(wipe.record))
      return failed('internal', 'The agent cannot record yet that the wipe is cancelled.');
    return failed('wipe_begun', `The wipe is already ${wipe.record.status}.`);
  }

  #wipe(record: WipeRecord, instance: Instance): Wipe {
    const { backups, onBackup, clock, log, report, untilEnded } = this.#options;
    return new Wipe(record, {
      instance,
      folder: () => this.#folderOf(instance),
      backups: () => given(backups(instance.name), 'backups'),
      onBackup: () => onBackup(instance.name),
      file: this.#fileOf(instance),
      report: (current) => {
        log.info({ instance: instance.name, wipe_id: current.id, status: current.status }, 'wipe');
        return report(reportOf(current, clock));
      },
      untilCancellable: () => this.#cancellation.over,
      untilFree: () => untilEnded(instance.name, conflicting),
      nowMs: () => clock.nowMs(),
      log,
    });
  }

  #folderOf({ name, context }: Instance): SaveFolder {
    return SaveFolder.of(context.config, given(this.#options.files(name), 'files'));
  }

  #fileOf({ name }: Instance): WipeRecordFile {
    const { directory, messages, log } = this.#options;
    return new WipeRecordFile(directory.instanceFile(name, 'wipe.json'), messages, log);
  }
}

function reportOf(record: WipeRecord, clock: PlatformClock): Schemas['WipeReport'] {
  const { id, seq, status, dueAtMs, names, deletedBytes, detail, failure } = record;
  const isKnown =
    !canBeCancelled(record) && status !== 'cancelled' && status !== 'stopping' && status !== 'backing_up';
  return {
    v: 1,
    wipe_id: id,
    seq,
    status,
    at: clock.nowText(),
    due_at: new Date(dueAtMs).toISOString(),
    ...(isKnown && { file_count: names.length, deleted_bytes: deletedBytes }),
    ...(detail !== null && { detail: cutDetail(detail) }),
    ...(failure !== null && isOver(record) && { error_code: failure.code }),
  };
}

function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The agent does not know the ${what} of this instance.`);
  return value;
}

/** The platform sends queued commands right after its greeting reply, so 4 s are enough to receive a cancellation. */
const afterGreetingMs = 4_000;
/** A platform that is offline delays a wipe by at most 15 s. */
const maxMs = 15_000;

/** Delays an interrupted wipe after an agent restart, so that the platform can cancel it first. */
class CancellationWindow {
  readonly #over = new AbortController();

  begin(): void {
    this.#endAfter(maxMs);
  }

  /** Called when the platform has replied to the greeting. */
  greeted(): void {
    this.#endAfter(afterGreetingMs);
  }

  /** Resolves once the platform has had its time to cancel. */
  get over(): Promise<void> {
    return aborted(this.#over.signal);
  }

  close(): void {
    this.#over.abort();
  }

  #endAfter(ms: number): void {
    void pause(ms, this.#over.signal).then(() => this.#over.abort());
  }
}

// Runs the commands that create, delete and restore backups.
import { counted } from '../counted.ts';
import { pause } from '../backoff.ts';
import type { Command, HandlersOf } from '../commands/command-handler.ts';
import { typeLine } from '../commands/console-line.ts';
import { fileFailure, FileError } from '../instance-files/file-error.ts';
import type { Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { InstanceBackups } from './instance-backups.ts';

export interface BackupCommandOptions {
  backups: (instance: string) => InstanceBackups | undefined;
  supervised: (instance: string) => Instance | undefined;
  /** Reports the instance's current backups to the platform. */
  report: (instance: string) => Promise<void>;
}

/** The holder that blocks automatic starts of an instance. */
export const unsettled = 'a restoration could be neither finished nor taken back';
const unsettledDetail =
  'Some files are those of the backup and others are not, and neither could be changed: the instance is not started. The next restoration tries again.';

/** A large map may take up to 60 s to save. */
const saveMs = 60_000;
/** Wait for a game without RCON whose output does not confirm a save: 3 s. */
const typedSaveMs = 3_000;

type BackupVerb = 'create_backup' | 'delete_backup' | 'restore_backup';

export function backupCommands({
  backups,
  supervised,
  report,
}: BackupCommandOptions): HandlersOf<BackupVerb> {
  const backupsOf = ({ instance }: { instance: string }): InstanceBackups => {
    const found = backups(instance);
    if (found === undefined) throw new Error(`The instance "${instance}" no longer exists.`);
    return found;
  };
  const queueOf = ({ instance }: { instance: string }) => `${instance} backups`;
  /** Reports the backups after the work, even if it fails. */
  const reporting =
    <Verb extends BackupVerb>(work: (command: Command<Verb>, instance: Instance) => Promise<Outcome>) =>
    async (command: Command<Verb>, instance: Instance): Promise<Outcome> => {
      const outcome = await outcomeOf(() => work(command, instance));
      await report(command.instance);
      return outcome;
    };

  async function create(command: Command<'create_backup'>, instance: Instance): Promise<Outcome> {
    const remark = await save(instance);
    const { files, content_size, changed } = await backupsOf(command).create({
      ...command.args,
      id: idOf(command),
    });
    const meanwhile = changed === 0 ? '' : ` ${changed} of them changed meanwhile.`;
    const saved = `${counted(files, 'file')} with ${counted(content_size, 'byte')}`;
    return succeeded(`${saved} ${files === 1 ? 'was' : 'were'} backed up.${meanwhile}${remark}`);
  }

  async function remove(command: Command<'delete_backup'>): Promise<Outcome> {
    await backupsOf(command).remove(command.args.backup_id.toLowerCase());
    return succeeded('The backup is deleted.');
  }

  async function restore(command: Command<'restore_backup'>, instance: Instance): Promise<Outcome> {
    const { args } = command;
    if (backupsOf(command).get(args.backup_id.toLowerCase()) === undefined) return noBackup;
    const wasRunning = instance.pid !== null;
    if (wasRunning && !args.stop) return stillRunning;
    if (wasRunning) await backupsOf(command).announceRestore(idOf(command));
    const stopped = wasRunning ? await instance.stop() : null;
    if (stopped?.isSuccess === false) return stopped;
    const restored = await instance.whileStopped(async () => {
      const outcome = await outcomeOf(() =>
        restoreStopped(backupsOf(command), idOf(command), args, wasRunning),
      );
      if (await backupsOf(command).isUnsettled()) instance.hold(unsettled);
      else instance.letGo(unsettled);
      return outcome;
    });
    if (restored === null) return stillRunning;
    if (instance.isHeldBy(unsettled)) return { ...restored, detail: `${restored.detail} ${unsettledDetail}` };
    if (!wasRunning) return restored;
    const started = await instance.start();
    const detail = `${restored.detail} ${started.detail}`;
    return restored.isSuccess ? { ...started, detail } : { ...restored, detail };
  }

  return {
    create_backup: {
      queueOf,
      run: reporting(create),
      outcomeAfterInterruption: async (command) =>
        backupsOf(command).get(idOf(command)) === undefined ? undefined : succeeded('The backup was made.'),
    },
    delete_backup: { queueOf, run: reporting(remove), outcomeAfterInterruption: remove },
    restore_backup: {
      queueOf: ({ instance }) => instance,
      run: reporting(restore),
      outcomeAfterInterruption: (command) =>
        outcomeOfInterruptedRestore(command, backupsOf(command), supervised(command.instance)),
    },
  };
}

async function restoreStopped(
  backups: InstanceBackups,
  operation: string,
  { backup_id, keep_present, remove_later }: Schemas['RestoreBackupArguments'],
  isToRun: boolean,
): Promise<Outcome> {
  const id = backup_id.toLowerCase();
  const paths = backups.get(id)?.paths;
  if (keep_present) await keepPresent(backups, operation, paths);
  await backups.restore(id, { isRemovingLater: remove_later, operation, isToRun });
  return succeeded('The backup was restored.');
}

async function keepPresent(backups: InstanceBackups, id: string, paths: string[] | undefined): Promise<void> {
  try {
    await backups.create({ id, kind: 'before_restore', ...(paths !== undefined && { paths }) });
  } catch (error) {
    if (!(error instanceof FileError && error.code === 'not_found')) throw error; // nothing to back up
  }
}

/** Saves the game before a backup. Returns a remark when the save was not confirmed; the backup is made anyway. */
async function save(instance: Instance): Promise<string> {
  const { rcon, config, console } = instance.context;
  const line = config.console.save;
  if (instance.pid === null || line === null) return '';
  if (rcon === null) {
    if (!instance.hasConsole) return '';
    const saved = Promise.withResolvers<true>();
    const unfollow = console.follow(({ stream, text }) => {
      const isOutput = stream === 'stdout' || stream === 'stderr';
      if (isOutput && config.console.saved?.test(text)) saved.resolve(true);
    });
    const typed = await typeLine(instance, { line, by: 'backup' });
    // Other lines, such as chat messages, do not confirm the save.
    const waitMs = config.console.saved === null ? typedSaveMs : saveMs;
    const isSaved = typed.isSuccess && (await Promise.race([saved.promise, pause(waitMs)])) === true;
    unfollow();
    if (!typed.isSuccess) return ` The game was not saved before: ${typed.detail}`;
    if (isSaved) return '';
    return ` "${line}" was typed before; nothing confirms that the game was saved.`;
  }
  try {
    await rcon.request(line, saveMs);
    return '';
  } catch (error) {
    if (error instanceof RconError) return ` The game was not saved before: ${error.message}`;
    throw error;
  }
}

/** Determines the outcome from the state on disk. */
async function outcomeOfInterruptedRestore(
  command: Command<'restore_backup'>,
  backups: InstanceBackups,
  instance: Instance | undefined,
): Promise<Outcome | undefined> {
  const end = await backups.endOf(idOf(command));
  if (end === null) return (await backups.isUnsettled()) ? failed('interrupted', unsettledDetail) : undefined;
  const again = end.isToRun ? startAgain(instance) : '';
  return end.isRestored
    ? succeeded(`The backup was restored, over a restart of the agent.${again}`)
    : failed(
        'interrupted',
        `The agent was interrupted before the backup was restored; the files are as they were.${again}`,
      );
}

/** Starts the instance without waiting for it, and returns a remark. The instance's state shows the result. */
function startAgain(instance: Instance | undefined): string {
  if (instance === undefined) return '';
  if (instance.pid !== null && instance.state !== 'stopping') return ' The instance runs.';
  void instance.start();
  return ' The instance, which was stopped for it, is started again.';
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    return fileFailure(error, 'backups');
  }
}

const idOf = ({ id }: { id: string }) => id.toLowerCase();

const noBackup = failed('no_backup', 'The host has no such backup.');
const stillRunning = failed(
  'still_running',
  'The instance is running; stop it, or request that it be stopped.',
);

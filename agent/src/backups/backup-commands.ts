// Runs the commands that create, delete and restore backups.
import { pause } from '../backoff.ts';
import type { CommandArea } from '../commands/area.ts';
import { typeLine } from '../commands/console-line.ts';
import { asFileError, FileError } from '../instance-files/file-error.ts';
import type { FileErrorCode } from '../instance-files/file-error.ts';
import type { CommandEnvelope, Messages, Parsed, Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { InstanceBackups } from './instance-backups.ts';

export interface BackupCommandOptions {
  backups: (instance: string) => InstanceBackups | undefined;
  supervised: (instance: string) => Instance | undefined;
  /** Reports the instance's current backups to the platform. */
  tell: (instance: string) => Promise<void>;
  messages: Messages;
}

/** The holder that blocks automatic starts of an instance. */
export const unsettled = 'a restoration could be neither finished nor taken back';
const unsettledInWords =
  'Some files are those of the backup and others are not, and neither could be changed: the instance is not started. The next restoration tries again.';

/** A large map may take up to 60 s to save. */
const saveMs = 60_000;
/** Wait for a game without RCON whose output does not confirm a save: 3 s. */
const typedSaveMs = 3_000;

const argumentsOf = {
  create_backup: 'CreateBackupArgs',
  delete_backup: 'DeleteBackupArgs',
  restore_backup: 'RestoreBackupArgs',
} as const satisfies Partial<Record<CommandEnvelope['verb'], keyof Schemas>>;

type BackupVerb = keyof typeof argumentsOf;

const errorCodes: Partial<Record<FileErrorCode, NonNullable<Schemas['CommandResult']['error_code']>>> = {
  checksum: 'backup_damaged',
  disk_full: 'disk_full',
};

export function backupCommands({ backups, supervised, tell, messages }: BackupCommandOptions): CommandArea {
  const keptOf = ({ instance }: CommandEnvelope): InstanceBackups => {
    const kept = backups(instance);
    if (kept === undefined) throw new Error(`There is no instance "${instance}" any more.`);
    return kept;
  };

  async function create(command: CommandEnvelope, instance: Instance): Promise<Outcome> {
    const args = valid(messages.check('CreateBackupArgs', command.args));
    const remark = await save(instance);
    const { files, content_size, changed } = await keptOf(command).create({ ...args, id: idOf(command) });
    const meanwhile = changed === 0 ? '' : ` ${changed} of them changed meanwhile.`;
    return succeeded(`${files} files with ${content_size} bytes were backed up.${meanwhile}${remark}`);
  }

  async function remove(command: CommandEnvelope): Promise<Outcome> {
    const { backup_id } = valid(messages.check('DeleteBackupArgs', command.args));
    await keptOf(command).remove(backup_id.toLowerCase());
    return succeeded('The backup is deleted.');
  }

  async function restore(command: CommandEnvelope, instance: Instance): Promise<Outcome> {
    const args = valid(messages.check('RestoreBackupArgs', command.args));
    if (keptOf(command).get(args.backup_id.toLowerCase()) === undefined) return noBackup;
    const wasRunning = instance.pid !== null;
    if (wasRunning && !args.stop) return stillRunning;
    if (wasRunning) await keptOf(command).announceRestore(idOf(command));
    const stopped = wasRunning ? await instance.stop() : null;
    if (stopped?.isSuccess === false) return stopped;
    const restored = await instance.whileStopped(async () => {
      const outcome = await outcomeOf(() => restoreStopped(keptOf(command), idOf(command), args, wasRunning));
      if (await keptOf(command).isUnsettled()) instance.hold(unsettled);
      else instance.letGo(unsettled);
      return outcome;
    });
    if (restored === null) return stillRunning;
    if (instance.isHeldBy(unsettled))
      return { ...restored, detail: `${restored.detail} ${unsettledInWords}` };
    if (!wasRunning) return restored;
    const started = await instance.start();
    const detail = `${restored.detail} ${started.detail}`;
    return restored.isSuccess ? { ...started, detail } : { ...restored, detail };
  }

  return {
    verbs: ['create_backup', 'delete_backup', 'restore_backup'],
    lineOf: ({ verb, instance }) => (verb === 'restore_backup' ? instance : `${instance} backups`),
    faultOfArguments: (command) => {
      const parsed = messages.check(argumentsOf[verbOf(command)], command.args);
      return parsed.isValid ? null : `args${parsed.detail}`;
    },
    carryOut: async (command, instance) => {
      const work = { create_backup: create, delete_backup: remove, restore_backup: restore };
      const outcome = await outcomeOf(() => work[verbOf(command)](command, instance));
      await tell(command.instance);
      return outcome;
    },
    judge: (command) => judge(command, keptOf(command), supervised(command.instance), messages),
  };
}

async function restoreStopped(
  backups: InstanceBackups,
  operation: string,
  { backup_id, keep_present, remove_later }: Schemas['RestoreBackupArgs'],
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

/** Determines the outcome of an interrupted command from the state on disk. */
async function judge(
  command: CommandEnvelope,
  backups: InstanceBackups,
  instance: Instance | undefined,
  messages: Messages,
): Promise<Outcome | undefined> {
  const verb = verbOf(command);
  if (verb === 'create_backup')
    return backups.get(idOf(command)) === undefined ? undefined : succeeded('The backup was made.');
  if (verb === 'delete_backup') {
    const { backup_id } = valid(messages.check('DeleteBackupArgs', command.args));
    await backups.remove(backup_id.toLowerCase());
    return succeeded('The backup is deleted.');
  }
  const end = await backups.endOf(idOf(command));
  if (end === null)
    return (await backups.isUnsettled()) ? failed('interrupted', unsettledInWords) : undefined;
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
    const { code, message } = asFileError(error);
    return failed(errorCodes[code] ?? 'files_refused', message);
  }
}

function verbOf({ verb }: CommandEnvelope): BackupVerb {
  if (verb === 'create_backup' || verb === 'delete_backup' || verb === 'restore_backup') return verb;
  throw new Error(`${verb} is not about backups.`);
}

const idOf = ({ id }: CommandEnvelope) => id.toLowerCase();

function valid<T>(parsed: Parsed<T>): T {
  if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
  return parsed.value;
}

const noBackup = failed('no_backup', 'The host has no such backup.');
const stillRunning = failed('still_running', 'The instance runs; stop it, or ask for it to be stopped.');

// Builds and recognises the subjects that belong to this host; no subject is written anywhere else.
import type { Schemas } from '../messages.ts';

export type UpKind =
  | 'hello'
  | 'heartbeat'
  | 'instance-state'
  | 'command-result'
  | 'wipe-status'
  | 'backups'
  | 'managed-instances'
  | 'bye';
export type CommandVerb = Schemas['CommandVerb'];
export type QuestionVerb =
  'console-tail' | 'console-input' | 'players' | 'plugins' | 'plugin-copies' | 'wipe-plan' | 'presence';

const commandVerbs: readonly CommandVerb[] = [
  'announce',
  'apply_plugin_files',
  'ban_player',
  'cancel_wipe',
  'change_instance',
  'create_backup',
  'create_instance',
  'delete_backup',
  'delete_instance',
  'deliver',
  'deploy_map',
  'install_module',
  'install_plugin',
  'kick_player',
  'load_plugin',
  'message_player',
  'reload_plugin',
  'remove_map',
  'restart',
  'restore_backup',
  'restore_plugin',
  'start',
  'stop',
  'type',
  'type_lines',
  'unban_player',
  'uninstall_plugin',
  'unload_plugin',
  'unzip_file',
  'wipe',
  'zip_files',
];
const questionVerbs: readonly QuestionVerb[] = [
  'console-tail',
  'console-input',
  'players',
  'plugins',
  'plugin-copies',
  'wipe-plan',
  'presence',
];
const fileVerbs = [
  'file-list',
  'file-stat',
  'file-read',
  'file-write',
  'file-make-directory',
  'file-rename',
  'file-delete',
  'file-download',
  'file-upload',
  'file-upload-plugin',
  'file-upload-plugin-file',
  'file-chunk',
  'file-finish',
  'file-end',
] as const;
export type FileVerb = (typeof fileVerbs)[number];

export class Subjects {
  readonly #base: string;
  readonly inboxPrefix: string;

  constructor(prefix: string, hostId: string) {
    this.#base = `${prefix}.${hostId}`;
    this.inboxPrefix = `_INBOX_A.${hostId}`;
  }

  get commands(): string {
    return `${this.#base}.cmd.*`;
  }
  get questions(): string {
    return `${this.#base}.ask.*`;
  }

  up(kind: UpKind): string {
    return `${this.#base}.up.${kind}`;
  }

  console(instance: string): string {
    return `${this.#base}.up.console.${instance}`;
  }

  /** The verb of a command that came on exactly one of this host's command subjects, else null. */
  commandVerb(subject: string): CommandVerb | null {
    return commandVerbs.find((verb) => subject === `${this.#base}.cmd.${verb}`) ?? null;
  }

  questionVerb(subject: string): QuestionVerb | null {
    return questionVerbs.find((verb) => subject === `${this.#base}.ask.${verb}`) ?? null;
  }

  fileVerb(subject: string): FileVerb | null {
    return fileVerbs.find((verb) => subject === `${this.#base}.ask.${verb}`) ?? null;
  }
}

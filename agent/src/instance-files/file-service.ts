// Holds the files of all instances on this host, their transfers and their commands.
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Address } from '../bus/platform-link.ts';
import type { CommandArea } from '../commands/area.ts';
import type { Config, InstanceConfig } from '../config.ts';
import type { StateDirectory } from '../files/state-directory.ts';
import type { CommandEnvelope, Messages } from '../messages.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { interrupted, runFileCommand } from './file-commands.ts';
import { FileQuestions } from './file-questions.ts';
import type { FileQuestionOptions, PluginFilePlaces, StagePlugin } from './file-questions.ts';
import { InstanceFiles } from './instance-files.ts';
import { OwnPaths } from './own-paths.ts';
import { Transfers } from './transfers.ts';

/** A transfer without activity for 60 s ends. */
const idleMs = 60_000;

type Place = Pick<InstanceConfig, 'name' | 'root'>;

export class FileService {
  readonly #instances = new Map<string, InstanceFiles>();
  readonly #transfers: Transfers;
  readonly #questions: FileQuestions;
  readonly #messages: Messages;
  readonly #add: (instance: Place) => InstanceFiles;

  constructor({
    config,
    directory,
    openBackup,
    messages,
    pluginFiles,
    stagePlugin,
    log,
  }: {
    config: Config;
    directory: StateDirectory;
    openBackup: FileQuestionOptions['openBackup'];
    messages: Messages;
    pluginFiles: PluginFilePlaces;
    stagePlugin: StagePlugin;
    log: Logger;
  }) {
    this.#messages = messages;
    const own = new OwnPaths(
      config.ownPaths,
      config.instances.map(({ root }) => root),
    );
    this.#add = ({ name, root }) => {
      const temporaryDirectory = directory.instanceFile(name, 'temporary');
      const files = new InstanceFiles({ root, own, temporaryDirectory, log });
      this.#instances.set(name, files);
      return files;
    };
    for (const instance of config.instances) this.#add(instance);
    this.#transfers = new Transfers(log, idleMs);
    this.#questions = new FileQuestions({
      instance: (name) => this.instance(name),
      openBackup,
      transfers: this.#transfers,
      stagePlugin,
      pluginFiles,
      messages,
      log,
    });
  }

  instance(name: string): InstanceFiles | undefined {
    return this.#instances.get(name);
  }

  add(instance: Place): void {
    void this.#add(instance).temporaries.recover();
  }

  remove(name: string): void {
    this.#instances.delete(name);
  }

  /** File commands touch no process, so they need not wait for commands that do. */
  get commands(): CommandArea {
    return {
      verbs: ['zip_files', 'unzip_file'],
      lineOf: ({ instance }) => `${instance} files`,
      carryOut: (command) => this.#run(command),
      judge: ({ verb }) => Promise.resolve(interrupted(verb)),
    };
  }

  async #run(command: CommandEnvelope): Promise<Outcome> {
    const files = this.instance(command.instance);
    if (files === undefined) return failed('internal', 'The agent does not know the files of this instance.');
    return runFileCommand(command, files, this.#messages);
  }

  /** Removes what an earlier agent left unfinished. Runs in the background, because it may take long. */
  recover(): void {
    for (const files of this.#instances.values()) void files.temporaries.recover();
  }

  /** Replies to the message if it is a file request; returns null otherwise. */
  take(message: Msg, address: Address): Promise<void> | null {
    return this.#questions.take(message, address);
  }

  /** Ends every transfer. The other side gets an error with its next request. */
  close(): Promise<void> {
    return this.#transfers.close();
  }
}

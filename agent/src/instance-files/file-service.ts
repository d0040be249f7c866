// Holds the files of all instances on this host, their transfers and their commands.
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Address } from '../bus/platform-link.ts';
import type { HandlersOf } from '../commands/command-handler.ts';
import type { Config, InstanceConfig } from '../config.ts';
import type { StateDirectory } from '../state-files/state-directory.ts';
import type { Messages } from '../messages.ts';
import { openDataConnection } from './data-connection.ts';
import { fileCommands } from './file-commands.ts';
import { FileRequests } from './file-requests.ts';
import type { FileRequestOptions, PluginFilePaths, StagePlugin } from './file-requests.ts';
import { InstanceFiles } from './instance-files.ts';
import { OwnPaths } from './own-paths.ts';
import { Transfers } from './transfers.ts';

/** A transfer without activity for 60 s ends. */
const idleMs = 60_000;

type Place = Pick<InstanceConfig, 'name' | 'root'>;

export class FileService {
  readonly #instances = new Map<string, InstanceFiles>();
  readonly #transfers: Transfers;
  readonly #requests: FileRequests;
  readonly #add: (instance: Place) => InstanceFiles;

  constructor({
    config,
    directory,
    openBackup,
    messages,
    pluginFiles,
    stagePlugin,
    sign,
    log,
  }: {
    config: Config;
    directory: StateDirectory;
    openBackup: FileRequestOptions['openBackup'];
    messages: Messages;
    pluginFiles: PluginFilePaths;
    stagePlugin: StagePlugin;
    /** Signs a text with the host's key. */
    sign: (text: string) => string;
    log: Logger;
  }) {
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
    this.#transfers = new Transfers(messages, log, idleMs);
    this.#requests = new FileRequests({
      instance: (name) => this.instance(name),
      openBackup,
      transfers: this.#transfers,
      openConnection: (ticket) => openDataConnection({ url: config.url, ticket, sign }),
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

  get commands(): HandlersOf<'zip_files' | 'unzip_file'> {
    return fileCommands((name) => this.instance(name));
  }

  /** Removes what an earlier agent left unfinished. Runs in the background, because it may take long. */
  recover(): void {
    for (const files of this.#instances.values()) void files.temporaries.recover();
  }

  /** Replies to the message if it is a file request; returns null otherwise. */
  take(message: Msg, address: Address): Promise<void> | null {
    return this.#requests.take(message, address);
  }

  /** Ends every transfer. The other side gets an error with its next request. */
  close(): Promise<void> {
    return this.#transfers.close();
  }
}

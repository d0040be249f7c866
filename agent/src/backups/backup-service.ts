// Manages the backups of all instances on this host.
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PlatformClock } from '../clock.ts';
import type { Config, InstanceConfig } from '../config.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Messages } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { backupCommands, unsettled } from './backup-commands.ts';
import { BackupReports } from './backup-reports.ts';
import type { BackupReportOptions } from './backup-reports.ts';
import { InstanceBackups } from './instance-backups.ts';

export interface BackupServiceOptions extends Pick<BackupReportOptions, 'boot' | 'isOpen' | 'request'> {
  config: Config;
  files: (instance: string) => InstanceFiles | undefined;
  supervised: (instance: string) => Instance | undefined;
  messages: Messages;
  clock: PlatformClock;
  log: Logger;
}

type Place = Pick<InstanceConfig, 'name' | 'root'>;

export class BackupService {
  readonly reports: BackupReports;
  readonly commands: ReturnType<typeof backupCommands>;
  readonly #instances = new Map<string, InstanceBackups>();
  readonly #supervised: BackupServiceOptions['supervised'];
  readonly #log: Logger;
  readonly #add: (instance: Place) => void;

  constructor({ config, files, supervised, messages, clock, log, ...link }: BackupServiceOptions) {
    this.#supervised = supervised;
    this.#log = log;
    this.#add = ({ name, root }) => {
      const ofInstance = files(name);
      if (ofInstance === undefined) return;
      const directory = join(config.backupsDirectory, name);
      const nowText = () => clock.nowText();
      this.#instances.set(
        name,
        new InstanceBackups({ directory, root, files: ofInstance, messages, nowText, log }),
      );
    };
    for (const instance of config.instances) this.#add(instance);
    this.reports = new BackupReports({
      ...link,
      instances: () => [...this.#instances.keys()],
      list: (name) => this.instance(name)?.list() ?? [],
      messages,
      log,
    });
    this.commands = backupCommands({
      backups: (name) => this.instance(name),
      supervised,
      report: (name) => this.reports.send(name),
    });
  }

  instance(name: string): InstanceBackups | undefined {
    return this.#instances.get(name);
  }

  /** Requires the instance's files to be added before. Adopts the backups of an earlier instance with the same name. */
  async add(instance: Place): Promise<void> {
    this.#add(instance);
    await this.#recover(instance.name);
    void this.reports.send(instance.name);
  }

  remove(name: string): void {
    this.#instances.delete(name);
  }

  /** Runs before any instance may start, so that none starts with partly restored files. */
  async recover(): Promise<void> {
    for (const name of this.#instances.keys()) await this.#recover(name);
  }

  async #recover(name: string): Promise<void> {
    await this.instance(name)
      ?.recover()
      .catch((error: unknown) => {
        this.#log.error(
          { instance: name, err: error },
          'a restoration could be neither finished nor taken back',
        );
        this.#supervised(name)?.hold(unsettled);
      });
  }

  async open(instance: string, id: string): Promise<FileHandle> {
    const backups = this.instance(instance);
    if (backups === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${instance}".`);
    return backups.open(id.toLowerCase());
  }
}

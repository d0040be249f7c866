// Holds the host's instances, recovers them when the agent starts, and releases them when it shuts down.
import { readdirSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config, InstanceConfig } from '../config.ts';
import { Console } from '../console/console.ts';
import { ConsoleHistory } from '../console/console-history.ts';
import { Repeats } from '../console/repeats.ts';
import type { StateDirectory } from '../state-files/state-directory.ts';
import type { InstanceState } from '../messages.ts';
import { Rcon } from '../rcon/rcon.ts';
import { Instance } from './instance.ts';
import type { StateNews } from './instance.ts';
import { LaunchSettingsFile } from './launch-settings.ts';
import type { ProcessHost } from './process-host.ts';
import type { RunContext } from './run.ts';
import { RunRecordFile } from './run-record.ts';

export interface SupervisorOptions {
  config: Config;
  directory: StateDirectory;
  host: ProcessHost;
  lastState: (instance: string) => InstanceState | null;
  onState: (instance: string, news: StateNews) => void;
  publishConsole: (instance: string, payload: string) => boolean;
  nowText: () => string;
  log: Logger;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #instances = new Map<string, Instance>();
  readonly #consoles = new Map<string, Console>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    for (const instance of options.config.instances) this.#add(instance);
  }

  get names(): string[] {
    return [...this.#instances.keys()];
  }
  get instances(): Instance[] {
    return [...this.#instances.values()];
  }

  instance(name: string): Instance | undefined {
    return this.#instances.get(name);
  }

  /** Returns null when RCON is not configured for the instance. */
  rcon(name: string): Rcon | null {
    return this.#instances.get(name)?.context.rcon ?? null;
  }

  console(name: string): Console | undefined {
    return this.#consoles.get(name);
  }

  async recover(): Promise<void> {
    for (const instance of this.#instances.values()) {
      await instance.recover();
      instance.context.rcon?.start();
    }
    await this.#warnOfForgotten();
  }

  /** Adds an instance that was created while the agent runs. */
  async add(config: InstanceConfig): Promise<void> {
    this.#add(config);
    const instance = this.#instances.get(config.name);
    // Discards the state of an earlier instance with the same name.
    this.#options.onState(config.name, { state: 'stopped' });
    await instance?.recover();
    instance?.context.rcon?.start();
  }

  /** Takes effect at the next start. */
  reconfigure(config: InstanceConfig): void {
    const instance = this.#instances.get(config.name);
    if (instance !== undefined) configure(instance, config);
  }

  /** Removes a stopped instance and all data that the agent keeps about it. */
  async remove(name: string): Promise<void> {
    const { directory, host } = this.#options;
    const instance = this.#instances.get(name);
    this.#instances.delete(name);
    this.#consoles.delete(name);
    await instance?.context.rcon?.stop();
    await instance?.release();
    if ((await host.findLeader(directory.instanceFile(name, ''))) === null) directory.removeInstance(name);
  }

  async release(): Promise<void> {
    await Promise.all(this.instances.map(async ({ context }) => context.rcon?.stop()));
    await Promise.all(this.instances.map((instance) => instance.release()));
  }

  #add(config: InstanceConfig): void {
    const {
      directory,
      host,
      log,
      config: agent,
      onState,
      lastState,
      nowText,
      publishConsole,
    } = this.#options;
    const { name, webrcon } = config;
    directory.ensureInstance(name);
    const file = (leaf: string) => directory.instanceFile(name, leaf);
    const console = new Console({
      instance: name,
      cursorFile: file('console.json'),
      history: new ConsoleHistory(file('console.jsonl'), log),
      nowText,
      publish: (payload) => publishConsole(name, payload),
      ...(webrcon !== undefined && { repeats: new Repeats() }),
      log,
    });
    const isRunning = () => (this.#instances.get(name)?.pid ?? null) !== null;
    const rcon =
      webrcon === undefined
        ? null
        : new Rcon({
            instance: name,
            settings: () => context.config.webrcon ?? webrcon,
            isRunning,
            console,
            log,
          });
    const context: RunContext = {
      config,
      host,
      console,
      rcon,
      recordFile: new RunRecordFile(file('run.json'), log),
      launch: new LaunchSettingsFile(file('launch.json')),
      file,
      marker: directory.instanceFile(name, ''),
      inheritedEnvironment: agent.inheritedEnvironment,
      logLimitBytes: agent.logLimitBytes,
      log,
    };
    this.#consoles.set(name, console);
    const instance = new Instance(context, lastState(name), (news) => {
      if (news.state === 'running') rcon?.connectNow();
      onState(name, news);
    });
    this.#instances.set(name, instance);
    configure(instance, config);
  }

  /** Warns about servers that still run although their instance was removed from the configuration. */
  async #warnOfForgotten(): Promise<void> {
    const { directory, host, log } = this.#options;
    for (const name of readdirSync(directory.instancesDirectory)) {
      if (this.#instances.has(name)) continue;
      const leader = await host.findLeader(directory.instanceFile(name, ''));
      if (leader !== null)
        log.warn(
          { instance: name, pid: leader.pid },
          'an instance that is no longer configured is still running',
        );
    }
  }
}

const barredFromStart = 'the configuration does not allow it';

/** Blocks automatic starts of an instance that must not start. A start command fails. */
function configure(instance: Instance, config: InstanceConfig): void {
  instance.context.config = config;
  if (config.startObjection === undefined) instance.letGo(barredFromStart);
  else instance.hold(barredFromStart);
}

// Manages the instances that the platform creates from the templates of the agent's file: create, change, delete.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Command, HandlersOf } from '../commands/command-handler.ts';
import type { InstanceConfig, ManagedInstanceSettings } from '../config.ts';
import type { Schemas } from '../messages.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { isFull } from '../errors.ts';
import type { Definition } from './definitions.ts';
import { Definitions } from './definitions.ts';
import { Directories, DirectoryError } from './directories.ts';
import { ValueError } from './templates.ts';
import type { Template } from './templates.ts';

/** The parts of the running agent that hold instances. */
export interface InstanceHolder {
  add: (config: InstanceConfig) => Promise<void>;
  reconfigure: (config: InstanceConfig) => void;
  remove: (name: string) => Promise<void>;
  instance: (name: string) => Instance | undefined;
  /** Returns why it cannot be removed now, or null. Ignores the command that asks. */
  objectionToRemoval: (name: string, commandId: string) => Promise<Outcome | null>;
  /** Resolves once the platform has the report, or after 6 s. */
  report: () => Promise<void>;
}

type ManagedVerb = 'create_instance' | 'change_instance' | 'delete_instance';

export interface ManagedInstancesOptions {
  settings: ManagedInstanceSettings | undefined;
  /** Instances defined in the configuration file. */
  fileInstances: readonly InstanceConfig[];
  stateDirectory: string;
  log: Logger;
}

const notAllowed = failed(
  'not_supported',
  'The configuration file of this agent has no managed_instances: it defines every instance of this host.',
);

export class ManagedInstances {
  readonly #settings: ManagedInstanceSettings | undefined;
  readonly #fileInstances: ReadonlyMap<string, InstanceConfig>;
  readonly #definitions: Definitions;
  readonly #directories: Directories | null;
  readonly #stateDirectory: string;
  readonly #log: Logger;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ settings, fileInstances, stateDirectory, log }: ManagedInstancesOptions) {
    this.#settings = settings;
    this.#fileInstances = new Map(fileInstances.map((instance) => [instance.name, instance]));
    this.#definitions = new Definitions(join(stateDirectory, 'managed-instances.json'));
    this.#directories = settings === undefined ? null : new Directories(settings.baseDirectory, log);
    this.#stateDirectory = stateDirectory;
    this.#log = log;
    for (const { name } of this.#definitions.all)
      if (this.#fileInstances.has(name))
        log.warn(
          { instance: name },
          'the file defines an instance that was made from a template; the file wins',
        );
  }

  /** Excludes instances whose name the configuration file defines itself. */
  get configs(): InstanceConfig[] {
    return this.#visible.map((definition) => this.#configOf(definition));
  }

  /** The report that is sent to the platform. */
  get report(): Pick<Schemas['ManagedInstancesReport'], 'maximum' | 'templates' | 'instances'> {
    return {
      maximum: this.#settings?.maximum ?? 0,
      templates: [...(this.#settings?.templates.values() ?? [])].map(({ report }) => report),
      instances: this.#visible.map((definition) => {
        const problem = this.#configOf(definition).startObjection;
        const { name, template, parameters, version } = definition;
        return { name, template, parameters, version, ...(problem !== undefined && { problem }) };
      }),
    };
  }

  /** Deletes the directories that an earlier agent has set aside. */
  recover(): void {
    void this.#directories?.remove();
  }

  /** All three commands are idempotent: the state on disk shows how far an interrupted one came. */
  commands(holder: InstanceHolder): HandlersOf<ManagedVerb> {
    const handler = <Verb extends ManagedVerb>(work: (command: Command<Verb>) => Promise<Outcome>) => {
      const run = async (command: Command<Verb>): Promise<Outcome> => {
        const outcome = await this.#exclusively(() => this.#run(command.id, () => work(command)));
        await holder.report();
        return outcome;
      };
      const queueOf = ({ instance }: { instance: string }) => instance;
      return { queueOf, run, runOnHost: run, outcomeAfterInterruption: run };
    };
    const unlessInFile =
      <Verb extends ManagedVerb>(work: (command: Command<Verb>) => Promise<Outcome>) =>
      async (command: Command<Verb>) =>
        this.#fileInstances.has(command.instance) ? definedInFile(command.instance) : work(command);
    return {
      create_instance: handler((command) => this.#create(command, holder)),
      change_instance: handler(unlessInFile((command) => this.#change(command, holder))),
      delete_instance: handler(unlessInFile((command) => this.#delete(command, holder))),
    };
  }

  get #visible(): Definition[] {
    return this.#definitions.all.filter(({ name }) => !this.#fileInstances.has(name));
  }

  async #run(commandId: string, work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ValueError) return failed('invalid', error.message);
      if (error instanceof DirectoryError) return failed('files_refused', error.message);
      if (isFull(error)) return failed('disk_full', 'The disk is full; nothing was changed.');
      this.#log.error({ command_id: commandId, err: error }, 'a managed instance could not be changed');
      return failed('internal', messageOf(error));
    }
  }

  async #create(
    { id, instance: name, args }: Command<'create_instance'>,
    holder: InstanceHolder,
  ): Promise<Outcome> {
    if (this.#settings === undefined || this.#directories === null) return notAllowed;
    const present = this.#definitions.get(name);
    if (present?.by !== id) {
      if (present !== undefined || this.#fileInstances.has(name))
        return failed('name_taken', `This host already has an instance "${name}".`);
      const { maximum } = this.#settings;
      if (this.#definitions.all.length >= maximum)
        return failed(
          'limit_reached',
          `The agent's file allows ${maximum} instances from templates, and this limit is reached.`,
        );
      const { template: templateName, parameters: values } = args;
      const template = this.#settings.templates.get(templateName);
      if (template === undefined)
        return failed('invalid', `The agent's file has no template "${templateName}".`);
      const parameters = template.settle(values, this.#takenPorts(name));
      await this.#directories.make(name);
      await this.#definitions.put({ name, template: templateName, parameters, version: 1, by: id });
    }
    const definition = this.#definitions.get(name);
    if (definition !== undefined && holder.instance(name) === undefined)
      await holder.add(this.#configOf(definition));
    return succeeded(`The instance was made in ${this.#directories.of(name)}.`);
  }

  async #change(
    { id, instance: name, args }: Command<'change_instance'>,
    holder: InstanceHolder,
  ): Promise<Outcome> {
    if (this.#settings === undefined) return notAllowed;
    const present = this.#definitions.get(name);
    const instance = holder.instance(name);
    if (present === undefined || instance === undefined)
      return failed('internal', `The agent no longer has an instance "${name}".`);
    if (present.by === id) return succeeded('The values were changed.');
    const { if_version: version, parameters: values } = args;
    if (version !== undefined && version !== present.version)
      return failed('version_conflict', `The instance is at version ${present.version} by now.`);
    const template = this.#settings.templates.get(present.template);
    if (template === undefined) return failed('invalid', goneTemplate(present.template));
    const parameters = template.settle({ ...present.parameters, ...values }, this.#takenPorts(name));
    const changed = { ...present, parameters, version: present.version + 1, by: id };
    const config = this.#configOf(changed);
    const change = async () => {
      await this.#definitions.put(changed);
      holder.reconfigure(config);
      return succeeded(
        `The values were changed${instance.pid === null ? '' : '; the next start uses them'}.`,
      );
    };
    if (config.webrcon?.port === instance.context.config.webrcon?.port) return change();
    return (
      (await instance.whileStopped(change)) ??
      failed('still_running', 'The RCON port can only change while the server is stopped.')
    );
  }

  async #delete(
    { id, instance: name, args }: Command<'delete_instance'>,
    holder: InstanceHolder,
  ): Promise<Outcome> {
    const instance = holder.instance(name);
    if (this.#definitions.get(name) !== undefined && instance !== undefined) {
      const objection = await holder.objectionToRemoval(name, id);
      if (objection !== null) return objection;
      const done = await instance.whileStopped(async () => {
        await this.#forget(name, id, args.delete_files);
        return true;
      });
      if (done === null) return stillRunning;
    }
    await holder.remove(name);
    if (args.delete_files) void this.#directories?.remove();
    return succeeded(
      args.delete_files
        ? 'The instance and its files were deleted.'
        : 'The instance was deleted; its files stay.',
    );
  }

  /** Removes the definition. If that cannot be written, the files are moved back. */
  async #forget(name: string, id: string, isWithFiles: boolean): Promise<void> {
    const isAside = isWithFiles && (await this.#directories?.setAside(name, id)) === true;
    try {
      await this.#definitions.remove(name);
    } catch (error) {
      if (isAside) await this.#directories?.putBack(name, id);
      throw error;
    }
  }

  /**
   * Returns the configuration as the file would define it. An instance that can no longer be started can still be seen,
   * stopped and deleted.
   */
  #configOf({ name, template: templateName, parameters }: Definition): InstanceConfig {
    const template = this.#settings?.templates.get(templateName);
    if (this.#settings === undefined || this.#directories === null)
      return inert(
        name,
        join(this.#stateDirectory, 'nowhere'),
        "The agent's file allows no instances from templates any more.",
      );
    const directory = this.#directories.of(name);
    if (template === undefined) return inert(name, directory, goneTemplate(templateName));
    try {
      const values = template.settle(parameters, this.#takenPorts(name));
      return this.#settings.toInstance(template.fill(name, directory, values));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      return inert(name, directory, `The template has changed: ${error.message}`);
    }
  }

  /** Ports taken by other instances. */
  #takenPorts(name: string): Map<number, string> {
    const taken = new Map<number, string>();
    for (const { name: owner, webrcon } of this.#fileInstances.values())
      if (webrcon !== undefined) taken.set(webrcon.port, `the instance "${owner}"`);
    for (const definition of this.#visible) {
      if (definition.name === name) continue;
      const template: Template | undefined = this.#settings?.templates.get(definition.template);
      for (const port of template?.portsAmong(definition.parameters) ?? [])
        taken.set(port, `the instance "${definition.name}"`);
    }
    return taken;
  }

  /** Runs one at a time, because names, ports and the number of instances are checked against the state on disk. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }
}

export const stillRunning = failed('still_running', 'The server is running; stop it first.');

const definedInFile = (name: string) =>
  failed('not_supported', `The agent's configuration file defines "${name}"; only it can change that.`);

const goneTemplate = (name: string) => `The agent's file has no template "${name}" any more.`;

function inert(name: string, directory: string, startObjection: string): InstanceConfig {
  return {
    name,
    command: '',
    args: [],
    cwd: directory,
    root: directory,
    env: {},
    stop: { signal: 'SIGTERM' },
    stopGraceMs: 30_000,
    readyAfterMs: 2_000,
    isAutostarted: false,
    restart: { isOn: false, maxAttempts: 0, backoffMs: 2_000 },
    wipeStartMs: 1_800_000,
    console: { hasInput: false, announce: null, save: null, saved: null, reloadPlugin: null },
    startObjection,
  };
}

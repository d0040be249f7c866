// Plugins of game servers: listed by asking the agent, and changed by commands to the agent.
import type { Readable } from 'node:stream';
import type { Bus } from '../bus/bus.ts';
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import type { Ctx } from '../context.ts';
import type { Query } from '../platform-contract/types.ts';
import type { ProblemCode } from '../errors.ts';
import type { LastingAccess } from './auth/access-recheck.ts';
import { refuseIncapableInstance } from '../preconditions/capabilities.ts';
import type { CommandRow, Commands } from './commands/index.ts';
import { AgentFiles } from './files/agent-files.ts';
import { openedOf, uploadCodes } from './files/index.ts';
import { accessCheck, sendUpload } from './files/transfers.ts';
import { agreeing, invalidReply } from '../agent-requests/refusals.ts';
import { addressOfInstance } from '../agent-requests/instance-address.ts';

export type InstalledPlugins = Required<
  Pick<BusSchemas['PluginsReply'], 'at' | 'framework' | 'framework_version' | 'plugins'>
>;
export type PluginCopyRow = BusSchemas['KeptPlugin'];

/** The plugin and its instance. */
export interface Target {
  instance_id: string;
  plugin: string;
}

type Verb = Extract<CommandVerb, `${'load' | 'reload' | 'unload' | 'uninstall'}_plugin`>;

const installCodes: ProblemCode[] = [...uploadCodes, 'plugin_refused', 'not_supported'];
/** A command that waits longer than this expires, and the plugin's source is discarded. */
const lifetimeMs = 10 * 60_000;
const maxLabelLength = 200;

interface PluginParts {
  bus: Bus;
  lastingAccess: LastingAccess;
}

export class Plugins {
  readonly #bus: Bus;
  readonly #lastingAccess: LastingAccess;
  readonly #commands: Commands;

  constructor({ bus, lastingAccess }: PluginParts, commands: Commands) {
    this.#bus = bus;
    this.#lastingAccess = lastingAccess;
    this.#commands = commands;
  }

  async list(ctx: Ctx, instanceId: string): Promise<InstalledPlugins> {
    const { hostId, instance } = await addressOfInstance(ctx, instanceId);
    const reply = await agreeing(this.#bus.ask(hostId, 'plugins', { v: 1, host_id: hostId, instance }));
    const { at, framework, framework_version, plugins } = reply;
    if (at === undefined || framework === undefined || framework_version === undefined || !plugins)
      throw invalidReply();
    return { at, framework, framework_version, plugins };
  }

  async listCopies(ctx: Ctx, instanceId: string): Promise<PluginCopyRow[]> {
    const { hostId, instance } = await addressOfInstance(ctx, instanceId);
    const reply = await agreeing(this.#bus.ask(hostId, 'plugin-copies', { v: 1, host_id: hostId, instance }));
    if (reply.copies === undefined) throw invalidReply();
    return reply.copies;
  }

  /** Uploads the complete, verified source to the agent before it creates the command that puts the plugin in place. */
  async install(
    ctx: Ctx,
    { instance_id: instanceId, plugin }: Target,
    { overwrite = false, sha256 }: Query<'installPlugin'>,
    body: Readable,
  ): Promise<CommandRow> {
    await ctx.read((queries) => refuseIncapableInstance(queries, instanceId, 'install_plugin'));
    const files = new AgentFiles(this.#bus, await addressOfInstance(ctx, instanceId));
    const opened = openedOf(await files.ask('file-upload-plugin', { plugin, overwrite }, installCodes));
    const checkAccess = accessCheck(ctx, ['plugins.manage'], this.#lastingAccess);
    const stored = await sendUpload({ files }, opened, { body, sha256, checkAccess }, installCodes);
    return this.#commands.create(ctx, instanceId, {
      verb: 'install_plugin',
      args: { plugin, upload: opened.transfer, sha256: stored.sha256, overwrite, by: nameOf(ctx) },
      lifetimeMs,
    });
  }

  async command(ctx: Ctx, { instance_id: instanceId, plugin }: Target, verb: Verb): Promise<CommandRow> {
    return this.#commands.create(ctx, instanceId, { verb, args: { plugin, by: nameOf(ctx) }, lifetimeMs });
  }

  async restore(ctx: Ctx, instanceId: string, copyId: string): Promise<CommandRow> {
    const args = { copy: copyId, by: nameOf(ctx) };
    return this.#commands.create(ctx, instanceId, { verb: 'restore_plugin', args, lifetimeMs });
  }
}

/** The requester's name for the server's console. */
const nameOf = ({ actor }: Ctx) => (actor?.label ?? 'nobody').slice(0, maxLabelLength);

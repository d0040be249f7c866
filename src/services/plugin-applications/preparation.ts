// Begins applications of plugin configurations, as the job that does it: reads, merges, uploads, and has the agent write.
import { LockMode } from '@mikro-orm/core';
import type { Bus } from '../../bus/bus.ts';
import type { Contexts, Ctx } from '../../context.ts';
import { PluginApplication } from '../../entities/index.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';
import type { JobPayloads } from '../../jobs/payloads.ts';
import type { ConfigData, PlayerCommands } from '../../plugin-configs/kind.ts';
import type { PluginKinds } from '../../plugin-configs/registry.ts';
import { issueCommand } from '../commands.ts';
import { addressOfInstance } from '../instance-address.ts';
import { filesOf } from '../plugin-configs/files-of-kind.ts';
import { contentsOf, hashOf, PluginFilesOfServer, type ServerFiles } from '../plugin-configs/server-files.ts';

/** The agent keeps uploads for an hour. */
const lifetimeMs = 30 * 60_000;
const longestLabel = 200;

interface Parts {
  contexts: Contexts;
  bus: Bus;
  pluginKinds: PluginKinds;
}

interface Prepared {
  configVersion: number;
  playerCommands: PlayerCommands | null;
  /** What is to be written, by file. */
  files: { file: string; content: string; sha256: string; present: string | null }[];
}

export class PluginApplicationPreparation {
  readonly #contexts: Contexts;
  readonly #bus: Bus;
  readonly #kinds: PluginKinds;

  constructor({ contexts, bus, pluginKinds }: Parts) {
    this.#contexts = contexts;
    this.#bus = bus;
    this.#kinds = pluginKinds;
  }

  /** Done again after a crash, it uploads again and still makes one command. */
  async prepare({ license_id, application_id }: JobPayloads['apply-plugin-config']): Promise<void> {
    await this.#contexts.forJob('apply-plugin-config', license_id, async (ctx) => {
      try {
        await this.#prepare(ctx, application_id);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
        const { code, message: detail } = error as DomainError;
        await end(ctx, application_id, { errorCode: codeOf(code), detail });
      }
    });
  }

  async #prepare(ctx: Ctx, id: string): Promise<void> {
    const application = await ctx.read((queries) =>
      queries
        .selectFrom('plugin_application')
        .select(['kind', 'plugin_config_id', 'instance_id', 'status'])
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    if (application?.status !== 'preparing') return;
    const { kind, plugin_config_id: configId, instance_id: instanceId } = application;
    const address = await addressOfInstance(ctx, instanceId);
    const server = new PluginFilesOfServer(this.#bus, address, () => Promise.resolve());
    const config = configId === null ? undefined : await configIn(ctx, configId);
    if (config === undefined) {
      await end(ctx, id, { errorCode: 'config_deleted', detail: 'The configuration was deleted.' });
      return;
    }
    const prepared = await this.#merged(server, kind, config);
    if (prepared.files.length === 0) {
      await end(ctx, id, { errorCode: null, detail: 'The server has all of it already.' }, prepared);
      return;
    }
    const uploads = new Map<string, string>();
    for (const { file, content } of prepared.files) uploads.set(file, await server.upload(content));
    await this.#issue(ctx, id, prepared, uploads);
  }

  async #merged(
    server: PluginFilesOfServer,
    kindName: string,
    { version, config_data }: { version: number; config_data: ConfigData },
  ): Promise<Prepared> {
    const kind = this.#kindOf(kindName);
    const present: ServerFiles = await server.read(kind.files);
    const wanted = filesOf(kind, config_data, contentsOf(present));
    const files = [...wanted]
      .filter(([file, content]) => present.get(file)?.content !== content)
      .map(([file, content]) => ({
        file,
        content,
        sha256: hashOf(content),
        present: present.get(file)?.sha256 ?? null,
      }));
    return { configVersion: version, playerCommands: kind.playerCommands(config_data), files };
  }

  async #issue(ctx: Ctx, id: string, prepared: Prepared, uploads: Map<string, string>): Promise<void> {
    await ctx.transact(async (em, queries) => {
      const application = await em.findOne(PluginApplication, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (application?.status !== 'preparing') return;
      const { definition } = this.#kindOf(application.kind);
      const changed = new Set(prepared.files.map(({ file }) => file));
      const readers = definition.files.filter(({ file }) => changed.has(file)).map(({ plugin }) => plugin);
      const command = await issueCommand(em, queries, application.instanceId, {
        verb: 'apply_plugin_files',
        args: {
          files: prepared.files.map(({ file, sha256, present }) => ({
            file,
            upload: uploads.get(file),
            sha256,
            present,
          })),
          plugins: [...new Set(readers)],
          is_unloaded_first: definition.isWrittenOnUnload ?? false,
          by: (application.requestedBy ?? 'nobody').slice(0, longestLabel),
        },
        lifetimeMs,
        requestedBy: application.requestedBy ?? null,
      });
      em.assign(application, { status: 'applying', commandId: command.id, ...told(prepared) });
      await em.flush();
    });
  }

  #kindOf(name: string) {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`there is no kind ${name} of plugin configurations`);
    return kind;
  }
}

async function configIn(ctx: Ctx, id: string) {
  const config = await ctx.read((queries) =>
    queries
      .selectFrom('plugin_config')
      .select(['version', 'config_data'])
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  return config && { version: config.version, config_data: config.config_data as ConfigData };
}

const told = ({ configVersion, playerCommands, files }: Prepared) => ({
  configVersion,
  playerCommands,
  files: files.map(({ file, sha256, present }) => ({ file, sha256_before: present, sha256 })),
});

async function end(
  ctx: Ctx,
  id: string,
  { errorCode, detail }: { errorCode: string | null; detail: string },
  prepared?: Prepared,
): Promise<void> {
  await ctx.transact((em) =>
    em.nativeUpdate(
      PluginApplication,
      { id, status: 'preparing' },
      {
        status: errorCode === null ? 'succeeded' : 'failed',
        errorCode,
        detail,
        finishedAt: new Date(),
        ...(prepared && told(prepared)),
      },
    ),
  );
}

/** A file of the server that is no JSON is the server's; everything else has its own name. */
const codeOf = (code: ProblemCode) => (code === 'plugin_file_unreadable' ? 'not_json' : code);

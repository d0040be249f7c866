// Begins applications of plugin configurations, as the job that does it: reads, merges, uploads, and has the agent write.
import { LockMode } from '@mikro-orm/core';
import type { Bus } from '../../bus/bus.ts';
import type { Contexts, Ctx } from '../../context.ts';
import { PluginApplication } from '../../entities/index.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';
import type { JobPayloads } from '../../jobs/payloads.ts';
import type { ConfigData, PlayerCommands, PluginKind } from '../../plugin-configs/kind.ts';
import { kindNamed, type PluginKinds } from '../../plugin-configs/registry.ts';
import { issueCommand } from '../commands.ts';
import { addressOfInstance } from '../instance-address.ts';
import type { FilesOfKinds } from '../plugin-configs/files-of-kind.ts';
import { contentsOf, hashOf, PluginFilesOfServer } from '../plugin-configs/server-files.ts';
import { isLoadConfirmed } from './confirmed-loads.ts';
import { end, noteFailure } from './endings.ts';
import { toApply, type Applied } from './to-apply.ts';

/** The agent keeps uploads for an hour. */
const lifetimeMs = 30 * 60_000;
const longestLabel = 200;

interface Parts {
  contexts: Contexts;
  bus: Bus;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
}

interface Prepared {
  playerCommands: PlayerCommands | null;
  /** What is to be written, by file. */
  files: { file: string; content: string; sha256: string; present: string | null }[];
  /** Those that read them, or all that read what is configured where nothing of it is to be written. */
  plugins: string[];
}

export class PluginApplicationPreparation {
  readonly #contexts: Contexts;
  readonly #bus: Bus;
  readonly #files: FilesOfKinds;
  readonly #kinds: PluginKinds;

  constructor({ contexts, bus, pluginFiles, pluginKinds }: Parts) {
    this.#contexts = contexts;
    this.#bus = bus;
    this.#files = pluginFiles;
    this.#kinds = pluginKinds;
  }

  /** Done again after a crash, it uploads again and still makes one command. */
  async prepare({ license_id, application_id }: JobPayloads['apply-plugin-config']): Promise<void> {
    await this.#contexts.forJob('apply-plugin-config', license_id, async (ctx) => {
      try {
        await this.#prepare(ctx, application_id);
      } catch (error) {
        if (error instanceof DomainError && error.code !== 'unavailable') {
          const { code, message: detail } = error as DomainError;
          await end(ctx, application_id, 'preparing', { errorCode: codeOf(code), detail });
          return;
        }
        await noteFailure(ctx, application_id, 'preparing', {
          errorCode: 'internal',
          detail: 'The platform could not prepare it, several times over.',
        });
        throw error;
      }
    });
  }

  async #prepare(ctx: Ctx, id: string): Promise<void> {
    const found = await toApply(ctx, id, 'preparing');
    if (found === null) return;
    if ('errorCode' in found) {
      await end(ctx, id, 'preparing', found);
      return;
    }
    const server = new PluginFilesOfServer(this.#bus, await addressOfInstance(ctx, found.instanceId), () =>
      Promise.resolve(),
    );
    const kind = kindNamed(this.#kinds, found.kind);
    const prepared = await this.#merged(server, kind, found.config);
    if (prepared.files.length === 0 && (await this.#isInForce(ctx, found, prepared))) {
      const detail = 'The server has all of it already.';
      await end(ctx, id, 'preparing', {
        errorCode: null,
        detail,
        playerCommands: prepared.playerCommands,
        isLoaded: prepared.plugins.length === 0 ? null : true,
      });
      return;
    }
    const uploads = new Map<string, string>();
    for (const { file, content } of prepared.files) uploads.set(file, await server.upload(content));
    await this.#issue(ctx, id, kind, { prepared, uploads });
  }

  /** Files that say all of it are no sign that a plugin has read them. */
  async #isInForce(ctx: Ctx, applied: Applied, { plugins }: Prepared): Promise<boolean> {
    return plugins.length === 0 || ctx.read((queries) => isLoadConfirmed(queries, applied));
  }

  async #merged(server: PluginFilesOfServer, kind: PluginKind, config: string): Promise<Prepared> {
    const { definition } = kind;
    const present = await server.read(kind.files);
    const { files: wanted } = await this.#files.write(kind, config, contentsOf(present));
    const files = wanted
      .filter(({ isChanged }) => isChanged)
      .map(({ file, content }) => ({
        file,
        content,
        sha256: hashOf(content),
        present: present.get(file)?.sha256 ?? null,
      }));
    const read = new Set((files.length === 0 ? wanted : files).map(({ file }) => file));
    const readers = definition.files.filter(({ file }) => read.has(file)).map(({ plugin }) => plugin);
    const playerCommands =
      definition.playerCommands === undefined ? null : kind.playerCommands(JSON.parse(config) as ConfigData);
    return { playerCommands, files, plugins: [...new Set(readers)] };
  }

  async #issue(
    ctx: Ctx,
    id: string,
    { definition }: PluginKind,
    { prepared, uploads }: { prepared: Prepared; uploads: ReadonlyMap<string, string> },
  ): Promise<void> {
    const { files, plugins, playerCommands } = prepared;
    await ctx.transact(async (em, queries) => {
      const application = await em.findOne(PluginApplication, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (application?.status !== 'preparing') return;
      const command = await issueCommand(em, queries, application.instanceId, {
        verb: 'apply_plugin_files',
        args: {
          files: files.map(({ file, sha256, present }) => ({
            file,
            upload: uploads.get(file),
            sha256,
            present,
          })),
          plugins,
          is_unloaded_first: files.length > 0 && definition.isWrittenOnUnload === true,
          by: (application.requestedBy ?? 'nobody').slice(0, longestLabel),
        },
        lifetimeMs,
        requestedBy: application.requestedBy ?? null,
      });
      em.assign(application, {
        status: 'applying',
        commandId: command.id,
        playerCommands,
        files: files.map(({ file, sha256, present }) => ({ file, sha256_before: present, sha256 })),
      });
      await em.flush();
    });
  }
}

/** A file of the server that is no JSON is the server's; everything else has its own name. */
const codeOf = (code: ProblemCode) => (code === 'plugin_file_unreadable' ? 'not_json' : code);

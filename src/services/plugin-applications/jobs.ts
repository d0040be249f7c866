// The jobs of plugin applications: prepare and issue each one, and read back its files afterwards.
import type { Bus } from '../../bus/bus.ts';
import type { Contexts, Ctx } from '../../context.ts';
import { isRefusal, type ProblemCode } from '../../errors.ts';
import type { JobPayloads } from '../../queue/payloads.ts';
import type { Remark } from '../../plugin-configs/reading.ts';
import { kindNamed, type PluginKinds } from '../../plugin-configs/registry.ts';
import { addressOfInstance } from '../../agent-requests/instance-address.ts';
import type { FilesOfKinds } from '../plugin-configs/files-of-kind.ts';
import { contentsOf, PluginFilesOfServer } from '../plugin-configs/server-files.ts';
import { end, recordFailure, type Ending } from './completion.ts';
import { issue, prepared, type Prepared } from './preparation.ts';
import { toApply, type Applied } from './pending-config.ts';
import type { Queries } from '../../database/reader.ts';

interface Parts {
  contexts: Contexts;
  bus: Bus;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
}

/** A remark about the configuration as a whole. */
const remark = (detail: string): Remark => ({ pointer: '', detail });

export class PluginApplicationWork {
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

  /** Idempotent after a crash: it uploads again, but creates one command only. */
  async prepare({ license_id, application_id }: JobPayloads['apply-plugin-config']): Promise<void> {
    await this.#contexts.forJob('apply-plugin-config', license_id, async (ctx) => {
      try {
        await this.#prepare(ctx, application_id);
      } catch (error) {
        if (isRefusal(error)) {
          const { code, message: detail } = error;
          await end(ctx, application_id, 'preparing', { errorCode: codeOf(code), detail });
          return;
        }
        await recordFailure(ctx, application_id, 'preparing', {
          errorCode: 'internal',
          detail: 'The platform could not prepare the files, despite several attempts.',
        });
        throw error;
      }
    });
  }

  /** The files were written and loaded, so an error here does not make the application fail. */
  async readBack({ license_id, application_id }: JobPayloads['read-back-plugin-config']): Promise<void> {
    await this.#contexts.forJob('read-back-plugin-config', license_id, async (ctx) => {
      try {
        const remarks = await this.#remarks(ctx, application_id);
        if (remarks !== null) await end(ctx, application_id, 'applying', { errorCode: null, remarks });
      } catch (error) {
        await recordFailure(ctx, application_id, 'applying', {
          errorCode: null,
          remarks: [remark('The platform could not read the files back, despite several attempts.')],
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
    const server = await this.#serverOf(ctx, found);
    const kind = kindNamed(this.#kinds, found.kind);
    const work = await prepared(server, this.#files, kind, found.config);
    if (work.files.length === 0) {
      await end(ctx, id, 'preparing', await this.#unchanged(ctx, found, work));
      return;
    }
    const uploads = new Map<string, string>();
    for (const { file, content } of work.files) uploads.set(file, await server.upload(content));
    await issue(ctx, id, kind, { prepared: work, uploads });
  }

  /** Reloads nothing, because a reload interrupts players. Unchanged files do not prove that a plugin has read them. */
  async #unchanged(ctx: Ctx, applied: Applied, { hasFiles, playerCommands }: Prepared): Promise<Ending> {
    if (!hasFiles)
      return {
        errorCode: null,
        detail: 'No file holds any part of this configuration.',
        playerCommands,
        isLoaded: null,
      };
    const isLoaded = (await ctx.read((queries) => isLoadConfirmed(queries, applied))) ? true : null;
    const detail = 'The files on the server already match. Nothing was written or reloaded.';
    return { errorCode: null, detail, playerCommands, isLoaded };
  }

  /** Null when the application has completed meanwhile. */
  async #remarks(ctx: Ctx, id: string): Promise<Remark[] | null> {
    const found = await toApply(ctx, id, 'applying');
    if (found === null) return null;
    if ('errorCode' in found) return [remark(`The files were not read back. ${found.detail}`)];
    const kind = kindNamed(this.#kinds, found.kind);
    try {
      const present = await (await this.#serverOf(ctx, found)).read(kind.files);
      const asWritten = found.written.filter(({ file, sha256 }) => present.get(file)?.sha256 === sha256);
      const known = asWritten.map(({ file }) => file);
      return await this.#files.compare(kind, found.config, contentsOf(present), known);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return [remark(`The files could not be read back. ${error.message}`)];
    }
  }

  /** A job has no caller whose access could end, so its access check always passes. */
  async #serverOf(ctx: Ctx, { instanceId }: Applied): Promise<PluginFilesOfServer> {
    return new PluginFilesOfServer(this.#bus, await addressOfInstance(ctx, instanceId), () =>
      Promise.resolve(),
    );
  }
}

/** A server file that is not JSON is reported as `not_json`; every other error keeps its code. */
const codeOf = (code: ProblemCode) => (code === 'plugin_file_unreadable' ? 'not_json' : code);

/** Whether the last completed application of this kind to the instance wrote the same version and was loaded. */
async function isLoadConfirmed(
  queries: Queries,
  { id, kind, instanceId, configId, configVersion }: Applied,
): Promise<boolean> {
  const last = await queries
    .selectFrom('plugin_application')
    .select(['plugin_config_id', 'config_version', 'status', 'is_loaded'])
    .where('instance_id', '=', instanceId)
    .where('kind', '=', kind)
    .where('id', '!=', id)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    last?.status === 'succeeded' &&
    last.is_loaded === true &&
    last.plugin_config_id === configId &&
    last.config_version === configVersion
  );
}

// Looks at what plugins have made of their files while they loaded them, as the job that does it, and ends the application.
import type { Bus } from '../../bus/bus.ts';
import type { Contexts, Ctx } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import type { JobPayloads } from '../../jobs/payloads.ts';
import type { Remark } from '../../plugin-configs/reading.ts';
import { kindNamed, type PluginKinds } from '../../plugin-configs/registry.ts';
import { addressOfInstance } from '../instance-address.ts';
import type { FilesOfKinds } from '../plugin-configs/files-of-kind.ts';
import { contentsOf, PluginFilesOfServer } from '../plugin-configs/server-files.ts';
import { end, noteFailure } from './endings.ts';
import { toApply } from './to-apply.ts';

interface Parts {
  contexts: Contexts;
  bus: Bus;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
}

/** Of the configuration as a whole. */
const remark = (detail: string): Remark => ({ pointer: '', detail });

export class PluginReadingBack {
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

  /** The files were written and loaded, so that nothing here makes a failure of it. */
  async readBack({ license_id, application_id }: JobPayloads['read-back-plugin-config']): Promise<void> {
    await this.#contexts.forJob('read-back-plugin-config', license_id, async (ctx) => {
      try {
        const remarks = await this.#remarks(ctx, application_id);
        if (remarks !== null) await end(ctx, application_id, 'applying', { errorCode: null, remarks });
      } catch (error) {
        await noteFailure(ctx, application_id, 'applying', {
          errorCode: null,
          remarks: [remark('The platform could not read the files back, several times over.')],
        });
        throw error;
      }
    });
  }

  /** Null when the application has ended meanwhile. */
  async #remarks(ctx: Ctx, id: string): Promise<Remark[] | null> {
    const found = await toApply(ctx, id, 'applying');
    if (found === null) return null;
    if ('errorCode' in found) return [remark(`The files were not read back. ${found.detail}`)];
    const kind = kindNamed(this.#kinds, found.kind);
    try {
      const address = await addressOfInstance(ctx, found.instanceId);
      const server = new PluginFilesOfServer(this.#bus, address, () => Promise.resolve());
      return await this.#files.compare(kind, found.config, contentsOf(await server.read(kind.files)));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      return [remark(`The files could not be read back. ${error.message}`)];
    }
  }
}

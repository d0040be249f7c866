// Prepares an application of a plugin configuration: the files to write and the agent command that writes them.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import { PluginApplication } from '../../entities/index.ts';
import type { ConfigData, PlayerCommands, PluginKind } from '../../plugin-configs/kind.ts';
import { issueCommand } from '../commands/index.ts';
import type { FilesOfKinds } from '../plugin-configs/files-of-kind.ts';
import { contentsOf, hashOf, type PluginFilesOfServer } from '../plugin-configs/server-files.ts';

/** Below the hour for which the agent keeps uploads. */
const lifetimeMs = 30 * 60_000;
const maxLabelLength = 200;

export interface Prepared {
  playerCommands: PlayerCommands | null;
  /** The files to write. */
  files: { file: string; content: string; sha256: string; present: string | null }[];
  /** The plugins that read those files. */
  plugins: string[];
  /** Whether any file holds a part of the configuration, changed or not. */
  hasFiles: boolean;
}

/** `config` is a configuration as JSON. */
export async function prepared(
  server: PluginFilesOfServer,
  codec: FilesOfKinds,
  kind: PluginKind,
  config: string,
): Promise<Prepared> {
  const { definition } = kind;
  const present = await server.read(kind.files);
  const wanted = await codec.write(kind, config, contentsOf(present));
  const files = wanted
    .filter(({ isChanged }) => isChanged)
    .map(({ file, content }) => ({
      file,
      content,
      sha256: hashOf(content),
      present: present.get(file)?.sha256 ?? null,
    }));
  const changed = new Set(files.map(({ file }) => file));
  const readers = definition.files.filter(({ file }) => changed.has(file)).map(({ plugin }) => plugin);
  const playerCommands =
    definition.playerCommands === undefined ? null : kind.playerCommands(JSON.parse(config) as ConfigData);
  return { playerCommands, files, plugins: [...new Set(readers)], hasFiles: wanted.length > 0 };
}

/** Issues the command, unless the application has left status `preparing`. */
export async function issue(
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
        is_unloaded_first: definition.isWrittenOnUnload === true,
        by: (application.requestedBy ?? 'nobody').slice(0, maxLabelLength),
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

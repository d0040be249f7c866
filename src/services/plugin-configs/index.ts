// Keeps a license's plugin configurations of every kind: changes, previews, imports and exports them.
import type { Bus } from '../../bus/bus.ts';
import type { PluginConfigData, PluginKindName } from '../../../generated/plugin-kinds.ts';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { PluginConfig } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import type { Contents, NotRead, PluginKind } from '../../plugin-configs/kind.ts';
import { maxRemarks } from '../../plugin-configs/remarks.ts';
import { kindNamed, type PluginKinds } from '../../plugin-configs/registry.ts';
import { warningsOf } from '../../plugin-configs/warnings.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import { containing } from '../../lists/filters.ts';
import { accessCheck } from '../files/transfers.ts';
import { addressOfInstance, type InstanceAddress } from '../../agent-requests/instance-address.ts';
import { byId, pageOf, type PageQuery } from '../../lists/page.ts';
import { refuseFaulty, type FilesOfKinds } from './files-of-kind.ts';
import {
  addConfig,
  changeableConfig,
  configRowOf,
  configTextOf,
  flushNamed,
  summaryColumns,
  type ConfigChanges,
  type ConfigValues,
  type NewConfig,
  type PluginConfigRow,
} from './rows.ts';
import { contentsOf, PluginFilesOfServer, type ServerFiles } from './server-files.ts';
import { missingReaders, readersOn } from './server-plugins.ts';
import { unreadFiles } from './unread-files.ts';

/** The imported configuration, and the parts of the files that were not imported. */
export interface ImportedConfig<Kind extends PluginKindName> {
  config: PluginConfigRow<Kind>;
  notRead: NotRead[];
  /** Counts also those beyond the hundred that `notRead` lists. */
  notReadCount: number;
}

type Framework = Schemas['PluginFramework'];

interface Parts {
  bus: Bus;
  lastingAccess: LastingAccess;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
}

export class PluginConfigs {
  readonly #bus: Bus;
  readonly #lastingAccess: LastingAccess;
  readonly #files: FilesOfKinds;
  readonly #kinds: PluginKinds;

  constructor({ bus, lastingAccess, pluginFiles, pluginKinds }: Parts) {
    this.#bus = bus;
    this.#lastingAccess = lastingAccess;
    this.#files = pluginFiles;
    this.#kinds = pluginKinds;
  }

  kind<Kind extends PluginKindName>(name: Kind): PluginKind<PluginConfigData[Kind]> {
    return kindNamed(this.#kinds, name);
  }

  async list(ctx: Ctx, kind: PluginKindName, query: PageQuery & { q?: string } = {}) {
    return ctx.read((queries) => {
      let configs = queries
        .selectFrom('plugin_config')
        .select(summaryColumns)
        .where('kind', '=', kind)
        .$narrowType<{ kind: PluginKindName }>();
      if (query.q !== undefined) configs = configs.where('name', 'ilike', containing(query.q));
      return pageOf(configs, query, byId('id', 'asc'));
    });
  }

  async get<Kind extends PluginKindName>(ctx: Ctx, kind: Kind, id: string): Promise<PluginConfigRow<Kind>> {
    return ctx.read((queries) => configRowOf(queries, kind, id));
  }

  async create<Kind extends PluginKindName>(
    ctx: Ctx,
    config: NewConfig<Kind>,
  ): Promise<PluginConfigRow<Kind>> {
    refuseFaulty(this.kind(config.kind), config.config_data);
    return ctx.transact((em, queries) => addConfig(ctx, em, queries, config));
  }

  async duplicate<Kind extends PluginKindName>(
    ctx: Ctx,
    kind: Kind,
    id: string,
    { name }: { name: string },
  ): Promise<PluginConfigRow<Kind>> {
    return ctx.transact(async (em, queries) => {
      const { config_data } = await configRowOf(queries, kind, id);
      return addConfig<Kind>(ctx, em, queries, { kind, name, config_data });
    });
  }

  async update<Kind extends PluginKindName>(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    { kind, name, config_data }: ConfigChanges<Kind>,
  ): Promise<PluginConfigRow<Kind>> {
    if (config_data !== undefined) refuseFaulty(this.kind(kind), config_data);
    return ctx.transact(async (em, queries) => {
      const config = await changeableConfig(em, kind, id, expectedVersions);
      config.name = name ?? config.name;
      if (config_data !== undefined) config.configData = config_data;
      config.version += 1;
      config.updatedBy = ctx.actor?.label ?? null;
      config.updatedAt = new Date();
      await flushNamed(em, config.name);
      return configRowOf(queries, kind, id);
    });
  }

  async delete(
    ctx: Ctx,
    kind: PluginKindName,
    id: string,
    expectedVersions: readonly number[] | null,
  ): Promise<void> {
    await ctx.transact(async (em) => {
      await changeableConfig(em, kind, id, expectedVersions);
      await em.nativeDelete(PluginConfig, { id });
    });
  }

  defaults<Kind extends PluginKindName>(kind: Kind): ConfigValues<Kind> {
    return { kind, config_data: this.kind(kind).defaults() };
  }

  presets<Kind extends PluginKindName>(kind: Kind) {
    return this.kind(kind).presets();
  }

  /** Returns contradictions, values that plugins would reject, and parts that no file can hold. */
  validate<Kind extends PluginKindName>({ kind, config_data: config }: ConfigValues<Kind>) {
    const known = this.kind(kind);
    return {
      faults: known.contradictions(config),
      warnings: warningsOf(known.definition, config),
      unwritten: known.unwritten(config),
    };
  }

  /** The agent is asked only after the database transaction has ended. */
  async preview(ctx: Ctx, kind: PluginKindName, id: string, instanceId: string | undefined) {
    const { config, version } = await ctx.read((queries) => configTextOf(queries, kind, id));
    const known = this.kind(kind);
    const { present, readers } =
      instanceId === undefined ? nowhere : await this.#looked(ctx, kind, instanceId);
    const { files, unwritten, warnings } = await this.#files.preview(known, config, contentsOf(present));
    const changed = new Set(files.filter(({ isChanged }) => isChanged).map(({ file }) => file));
    const missing = readers === null ? [] : missingReaders(known.definition, changed, readers);
    return {
      version,
      files: files.map((file) => ({ ...file, path: present.get(file.file)?.path ?? null })),
      warnings: [...missing, ...warnings].slice(0, maxRemarks),
      unwritten,
    };
  }

  async export(ctx: Ctx, kind: PluginKindName, id: string, framework: Framework) {
    const { config } = await ctx.read((queries) => configTextOf(queries, kind, id));
    const files = await this.#files.write(this.kind(kind), config, new Map());
    return files.map(({ file, content }) => ({ file, path: pathOf(framework, file), content }));
  }

  async importFiles<Kind extends PluginKindName>(
    ctx: Ctx,
    kind: Kind,
    { name, files }: Schemas['PluginConfigFileImport'],
  ): Promise<ImportedConfig<Kind>> {
    const known = this.#filesOf(kind);
    const unknown = files.find(({ file }) => !known.includes(file));
    if (unknown !== undefined)
      throw new DomainError(
        'plugin_file_unreadable',
        `${unknown.file} is not a file of this plugin. Its files are ${known.join(', ')}.`,
      );
    const contents = new Map(files.map(({ file, content }) => [file, content]));
    if (contents.size < files.length)
      throw new DomainError('plugin_file_unreadable', 'A file is named twice; send each file once.');
    return this.#keep(ctx, kind, name, contents);
  }

  async importFromServer<Kind extends PluginKindName>(
    ctx: Ctx,
    kind: Kind,
    { name, instance_id }: Schemas['PluginConfigServerImport'],
  ): Promise<ImportedConfig<Kind>> {
    const address = await addressOfInstance(ctx, instance_id);
    const server = this.#serverAt(ctx, address, ['pluginconfigs.manage', 'files.view']);
    const present = await server.read(this.#filesOf(kind));
    if (present.size === 0)
      throw new DomainError(
        'plugin_file_unreadable',
        'The server does not have any files of this plugin yet.',
      );
    const unread = await unreadFiles(server, this.kind(kind), present);
    const { config, notRead, notReadCount } = await this.#keep(ctx, kind, name, contentsOf(present));
    return {
      config,
      notRead: [...unread, ...notRead].slice(0, maxRemarks),
      notReadCount: unread.length + notReadCount,
    };
  }

  async #keep<Kind extends PluginKindName>(
    ctx: Ctx,
    kind: Kind,
    name: string,
    contents: Contents,
  ): Promise<ImportedConfig<Kind>> {
    const { config: config_data, ...left } = await this.#files.read(this.kind(kind), contents);
    const config = await ctx.transact((em, queries) =>
      addConfig<Kind>(ctx, em, queries, { kind, name, config_data }),
    );
    return { config, ...left };
  }

  /** Returns the files of an instance and the plugins that it has loaded. */
  async #looked(ctx: Ctx, kind: PluginKindName, instanceId: string): Promise<Looked> {
    const address = await addressOfInstance(ctx, instanceId);
    const server = this.#serverAt(ctx, address, ['pluginconfigs.view', 'files.view']);
    const [present, readers] = await Promise.all([
      server.read(this.#filesOf(kind)),
      readersOn(this.#bus, address),
    ]);
    return { present, readers };
  }

  #serverAt(
    ctx: Ctx,
    address: InstanceAddress,
    permissions: Parameters<typeof accessCheck>[1],
  ): PluginFilesOfServer {
    return new PluginFilesOfServer(this.#bus, address, accessCheck(ctx, permissions, this.#lastingAccess));
  }

  #filesOf(kind: PluginKindName): string[] {
    return this.kind(kind).files;
  }
}

/** The files on a server, and its loaded plugins; null when these are unknown. */
interface Looked {
  present: ServerFiles;
  readers: ReadonlySet<string> | null;
}

const nowhere: Looked = { present: new Map(), readers: null };

const pathOf = (framework: Framework, file: string) =>
  `${framework}/${framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file}`;

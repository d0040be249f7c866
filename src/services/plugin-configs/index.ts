// The configurations of plugins that a license keeps, whatever their kind.
import { LockMode } from '@mikro-orm/core';
import type { Bus } from '../../bus/bus.ts';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../contract-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { PluginConfig } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { diffOf } from '../../plugin-configs/edits.ts';
import type { ConfigData, PluginKind } from '../../plugin-configs/kind.ts';
import type { PluginKinds } from '../../plugin-configs/registry.ts';
import type { LastingAccess } from '../auth/lasting-access.ts';
import { containing } from '../filters.ts';
import { goingOn } from '../files/going-on.ts';
import { addressOfInstance } from '../instance-address.ts';
import { refuseBeyond } from '../limits.ts';
import { byId, pageOf, type PageQuery } from '../page.ts';
import { changesOf, configOf, filesOf, refuseFaulty } from './files-of-kind.ts';
import { contentsOf, PluginFilesOfServer, type ServerFiles } from './server-files.ts';

const mostOfAKind = 100;

export type PluginConfigRow = Awaited<ReturnType<typeof configRowOf>>;
export type PluginConfigSummaryRow = Omit<PluginConfigRow, 'config_data'>;

type Framework = Schemas['PluginFramework'];

interface NewConfig {
  name: string;
  config_data: ConfigData;
}

interface Parts {
  bus: Bus;
  lastingAccess: LastingAccess;
  pluginKinds: PluginKinds;
}

const summaryColumns = ['id', 'name', 'version', 'updated_by', 'created_at', 'updated_at'] as const;

export class PluginConfigs {
  readonly #bus: Bus;
  readonly #lastingAccess: LastingAccess;
  readonly #kinds: PluginKinds;

  constructor({ bus, lastingAccess, pluginKinds }: Parts) {
    this.#bus = bus;
    this.#lastingAccess = lastingAccess;
    this.#kinds = pluginKinds;
  }

  kind(name: string): PluginKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`there is no kind ${name} of plugin configurations`);
    return kind;
  }

  async list(ctx: Ctx, kind: string, query: PageQuery & { q?: string } = {}) {
    return ctx.read((queries) => {
      let configs = queries.selectFrom('plugin_config').select(summaryColumns).where('kind', '=', kind);
      if (query.q !== undefined) configs = configs.where('name', 'ilike', containing(query.q));
      return pageOf(configs, query, byId('id', 'asc'));
    });
  }

  async get(ctx: Ctx, kind: string, id: string): Promise<PluginConfigRow> {
    return ctx.read((queries) => configRowOf(queries, kind, id));
  }

  async create(ctx: Ctx, kind: string, { name, config_data }: NewConfig): Promise<PluginConfigRow> {
    refuseFaulty(this.kind(kind), config_data);
    return ctx.transact((em, queries) => add(ctx, em, queries, kind, { name, config_data }));
  }

  async duplicate(ctx: Ctx, kind: string, id: string, { name }: { name: string }): Promise<PluginConfigRow> {
    return ctx.transact(async (em, queries) => {
      const { config_data } = await configRowOf(queries, kind, id);
      return add(ctx, em, queries, kind, { name, config_data });
    });
  }

  async update(
    ctx: Ctx,
    kind: string,
    id: string,
    expectedVersion: number | null,
    { name, config_data }: Partial<NewConfig>,
  ): Promise<PluginConfigRow> {
    if (config_data !== undefined) refuseFaulty(this.kind(kind), config_data);
    return ctx.transact(async (em, queries) => {
      const config = await changeable(em, kind, id, expectedVersion);
      config.name = name ?? config.name;
      if (config_data !== undefined) config.configData = config_data;
      config.version += 1;
      config.updatedBy = ctx.actor?.label ?? null;
      config.updatedAt = new Date();
      await flushNamed(em, config.name);
      return configRowOf(queries, kind, id);
    });
  }

  async delete(ctx: Ctx, kind: string, id: string, expectedVersion: number | null): Promise<void> {
    await ctx.transact(async (em) => {
      await changeable(em, kind, id, expectedVersion);
      await em.nativeDelete(PluginConfig, { id });
    });
  }

  defaults(kind: string): ConfigData {
    return this.kind(kind).defaults();
  }

  presets(kind: string) {
    return this.kind(kind).presets();
  }

  /** What contradicts itself, and what no file can hold. */
  validate(kind: string, config: ConfigData) {
    const known = this.kind(kind);
    return { faults: known.contradictions(config), unwritten: known.unwritten(config) };
  }

  /** The agent is asked once nothing is held in the database. */
  async preview(ctx: Ctx, kind: string, id: string, instanceId: string | undefined) {
    const { config_data } = await this.get(ctx, kind, id);
    const present: ServerFiles =
      instanceId === undefined ? new Map() : await this.#read(ctx, kind, instanceId, 'pluginconfigs.view');
    const changes = changesOf(this.kind(kind), config_data, contentsOf(present));
    return {
      files: [...changes].map(([file, { content, text, edits }]) => {
        const before = present.get(file);
        return {
          file,
          path: before?.path ?? null,
          content,
          is_changed: before?.content !== content,
          diff: diffOf(file, text, edits),
        };
      }),
      unwritten: this.kind(kind).unwritten(config_data),
    };
  }

  async export(ctx: Ctx, kind: string, id: string, framework: Framework) {
    const { config_data } = await this.get(ctx, kind, id);
    const files = filesOf(this.kind(kind), config_data, new Map());
    return [...files].map(([file, content]) => ({ file, path: pathOf(framework, file), content }));
  }

  async importFiles(
    ctx: Ctx,
    kind: string,
    { name, files }: Schemas['PluginConfigFileImport'],
  ): Promise<PluginConfigRow> {
    const known = this.#filesOf(kind);
    const stranger = files.find(({ file }) => !known.includes(file));
    if (stranger !== undefined)
      throw new DomainError(
        'plugin_file_unreadable',
        `${stranger.file} is none of its files, which are ${known.join(', ')}.`,
      );
    const contents = new Map(files.map(({ file, content }) => [file, content]));
    const config_data = configOf(this.kind(kind), contents);
    return ctx.transact((em, queries) => add(ctx, em, queries, kind, { name, config_data }));
  }

  async importFromServer(
    ctx: Ctx,
    kind: string,
    { name, instance_id }: Schemas['PluginConfigImport'],
  ): Promise<PluginConfigRow> {
    const present = await this.#read(ctx, kind, instance_id, 'pluginconfigs.manage');
    if (present.size === 0)
      throw new DomainError('plugin_file_unreadable', 'The server has none of the files of this plugin yet.');
    const config_data = configOf(this.kind(kind), contentsOf(present));
    return ctx.transact((em, queries) => add(ctx, em, queries, kind, { name, config_data }));
  }

  async #read(
    ctx: Ctx,
    kind: string,
    instanceId: string,
    permission: 'pluginconfigs.view' | 'pluginconfigs.manage',
  ): Promise<ServerFiles> {
    const mayGoOn = goingOn(ctx, [permission], this.#lastingAccess);
    const server = new PluginFilesOfServer(this.#bus, await addressOfInstance(ctx, instanceId), mayGoOn);
    return server.read(this.#filesOf(kind));
  }

  #filesOf(kind: string): string[] {
    return this.kind(kind).files;
  }
}

const pathOf = (framework: Framework, file: string) =>
  `${framework}/${framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file}`;

async function configRowOf(queries: Queries, kind: string, id: string) {
  const config = await queries
    .selectFrom('plugin_config')
    .select([...summaryColumns, 'config_data'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (config === undefined) throw notFound('configuration');
  return { ...config, config_data: config.config_data as ConfigData };
}

async function add(
  ctx: Ctx,
  em: EntityManager,
  queries: Queries,
  kind: string,
  { name, config_data: configData }: NewConfig,
): Promise<PluginConfigRow> {
  await refuseBeyond(em, {
    subject: `plugin configs ${kind} ${ctx.licenseId}`,
    most: mostOfAKind,
    count: () => em.count(PluginConfig, { kind }),
    detail: `A license has at most ${mostOfAKind} configurations of a kind.`,
  });
  const config = em.create(PluginConfig, { kind, name, configData, updatedBy: ctx.actor?.label ?? null });
  await flushNamed(em, name);
  return configRowOf(queries, kind, config.id);
}

async function changeable(
  em: EntityManager,
  kind: string,
  id: string,
  expectedVersion: number | null,
): Promise<PluginConfig> {
  const config = await em.findOne(PluginConfig, { id, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (config === null) throw notFound('configuration');
  if (expectedVersion !== null && expectedVersion !== config.version)
    throw new DomainError(
      'stale_version',
      `The configuration has been changed; it is at version ${config.version} now.`,
    );
  return config;
}

function flushNamed(em: EntityManager, name: string): Promise<void> {
  const taken = () =>
    new DomainError('name_taken', `A configuration of this kind is called ${name} already.`);
  return refusing({ plugin_config_license_id_kind_name_key: taken }, () => em.flush());
}

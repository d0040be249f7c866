// Reads, adds and locks the rows of plugin configurations, within the license's limit.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { PluginConfig } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { PluginConfigData, PluginKindName } from '../../../generated/plugin-kinds.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { refuseStale } from '../../preconditions/version.ts';

export const maxConfigsOfKind = 100;
export const maxConfigsOfKindInSandbox = 10;

export const configLimit = (em: EntityManager, licenseId: string, kind: string): Limit => ({
  subject: `plugin configs ${kind} ${licenseId}`,
  max: maxConfigsOfKind,
  count: () => em.count(PluginConfig, { kind }),
  detail: `A license has at most ${maxConfigsOfKind} configurations of a kind, and a sandbox ${maxConfigsOfKindInSandbox}.`,
  inSandbox: { licenseId, max: maxConfigsOfKindInSandbox },
});

export const summaryColumns = [
  'kind',
  'id',
  'name',
  'version',
  'updated_by',
  'created_at',
  'updated_at',
] as const;

export interface PluginConfigSummaryRow<Kind extends PluginKindName = PluginKindName> {
  kind: Kind;
  id: string;
  name: string;
  version: number;
  updated_by: string | null;
  created_at: string;
  updated_at: string;
}

/** The settings of a kind. Of several kinds, a union in which `kind` determines the settings. */
export type ConfigValues<Kind extends PluginKindName> = {
  [Name in Kind]: { kind: Name; config_data: PluginConfigData[Name] };
}[Kind];

export type NewConfig<Kind extends PluginKindName> = {
  [Name in Kind]: { kind: Name; name: string; config_data: PluginConfigData[Name] };
}[Kind];

export type ConfigChanges<Kind extends PluginKindName> = {
  [Name in Kind]: { kind: Name; name?: string; config_data?: PluginConfigData[Name] };
}[Kind];

export type PluginConfigRow<Kind extends PluginKindName> = {
  [Name in Kind]: PluginConfigSummaryRow<Name> & { config_data: PluginConfigData[Name] };
}[Kind];

/** A configuration of a kind is stored in the form that the contract has for that kind. */
export async function configRowOf<Kind extends PluginKindName>(
  queries: Queries,
  kind: Kind,
  id: string,
): Promise<PluginConfigRow<Kind>> {
  const config = await queries
    .selectFrom('plugin_config')
    .select([...summaryColumns, 'config_data'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (config === undefined) throw notFound('configuration');
  return { ...config, kind };
}

/** The configuration as JSON text, for work that runs in another thread. */
export async function configTextOf(
  queries: Queries,
  kind: string,
  id: string,
): Promise<{ config: string; version: number }> {
  const found = await queries
    .selectFrom('plugin_config')
    .select(['version', sql<string>`config_data::text`.as('config')])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (found === undefined) throw notFound('configuration');
  return found;
}

export async function addConfig<Kind extends PluginKindName>(
  ctx: Ctx,
  em: EntityManager,
  queries: Queries,
  { kind, name, config_data: configData }: NewConfig<Kind>,
): Promise<PluginConfigRow<Kind>> {
  await refuseBeyond(em, configLimit(em, ctx.licenseId, kind));
  const config = em.create(PluginConfig, { kind, name, configData, updatedBy: ctx.actor?.label ?? null });
  await flushNamed(em, name);
  return configRowOf(queries, kind, config.id);
}

export async function changeableConfig(
  em: EntityManager,
  kind: string,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<PluginConfig> {
  const config = await em.findOne(PluginConfig, { id, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (config === null) throw notFound('configuration');
  refuseStale(config, expectedVersions, 'The configuration');
  return config;
}

export function flushNamed(em: EntityManager, name: string): Promise<void> {
  const taken = () => new DomainError('name_taken', `A configuration of this kind is already named ${name}.`);
  return refusing({ plugin_config_license_id_kind_name_key: taken }, () => em.flush());
}

// Plugin configurations in migration documents, identified by kind and name.
import { sql } from 'kysely';
import { PluginConfig } from '../../../entities/index.ts';
import { DomainError, type Fault } from '../../../errors.ts';
import type { ConfigData } from '../../../plugin-configs/kind.ts';
import type { PluginKinds } from '../../../plugin-configs/registry.ts';
import { limitReached, roomWithin, type Limit } from '../../../preconditions/limits.ts';
import { configLimit, maxConfigsOfKind } from '../../plugin-configs/rows.ts';
import type { FilesOfKinds } from '../../plugin-configs/files-of-kind.ts';
import { refuseBeyondOwn } from '../../team/access.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'plugin_configs'>;

/** A configuration may have several megabytes, so few are read at once. */
const readAtOnce = 4;
/** Maximum configuration kinds; the contract has no limit of its own. */
const maxKinds = 50;

export const pluginConfigsPart = (kinds: PluginKinds, files: FilesOfKinds): MigrationPart<Item> => ({
  version: 1,
  max: maxKinds * maxConfigsOfKind,
  permission: 'pluginconfigs.manage',
  readAtOnce,

  async page(queries, last, count) {
    let configs = queries
      .selectFrom('plugin_config')
      .select(['kind', 'name', 'config_data'])
      .orderBy(sql`kind collate "C"`)
      .orderBy(sql`name collate "C"`)
      .limit(count);
    if (last !== undefined)
      configs = configs.where(
        sql<boolean>`(kind collate "C", name collate "C") > (${last.kind}, ${last.name})`,
      );
    return (await configs.execute()).map(({ kind, name, config_data }) => ({
      kind,
      name,
      config_data: config_data as ConfigData,
    }));
  },

  // A configuration keeps the order of its fields, since plugin files list them in that order.
  textOf: (item) => JSON.stringify(item),

  labelOf: ({ kind, name }) => `${name} (${kind})`,

  async open({ ctx, em, held }, items) {
    const known = items.filter(({ kind }) => kinds.has(kind));
    const stored = await em.find(PluginConfig, { kind: { $in: known.map(({ kind }) => kind) } });
    const keyOf = ({ kind, name }: { kind: string; name: string }) => `${kind}/${name}`;
    const byKey = new Map(stored.map((config) => [keyOf(config), config]));
    const rooms = new Map<string, { limit: Limit; room: number }>();
    for (const kind of new Set(known.map((item) => item.kind)).keys()) {
      const limit = configLimit(em, ctx.licenseId, kind);
      rooms.set(kind, { limit, room: await roomWithin(em, limit) });
    }
    const faults = new Map<Item, Fault[]>();
    for (const item of known) {
      const kind = kinds.get(item.kind);
      if (kind !== undefined) faults.set(item, await files.faults(kind, item.config_data as ConfigData));
    }
    return {
      keyOf,
      refusals: {
        plugin_config_license_id_kind_name_key: () =>
          new DomainError(
            'name_taken',
            'A configuration of this name was created during the import; start the import again.',
          ),
      },

      reasonToSkip: ({ kind }) =>
        kinds.has(kind) ? null : `This platform has no configurations of the kind ${kind}.`,

      stored(item) {
        const config = byKey.get(keyOf(item));
        return config && { kind: config.kind, name: config.name, config_data: config.configData };
      },

      check(item, before) {
        const needed = kinds.get(item.kind)?.definition.alsoNeeds ?? [];
        refuseBeyondOwn(held, Object.fromEntries(needed.map((permission) => [permission, true])));
        const found = faults.get(item) ?? [];
        if (found.length > 0)
          throw new DomainError('plugin_config_invalid', `${item.name} is not a valid configuration.`, {
            faults: found,
          });
        const place = rooms.get(item.kind);
        if (before !== undefined || place === undefined) return;
        if (place.room <= 0) throw limitReached(place.limit);
        place.room -= 1;
      },

      async apply(pending) {
        const updatedBy = ctx.actor?.label ?? null;
        for (const { item } of pending) {
          const { kind, name, config_data: configData } = item;
          const config = byKey.get(keyOf(item));
          if (config === undefined) em.create(PluginConfig, { kind, name, configData, updatedBy });
          else
            em.assign(config, {
              configData,
              updatedBy,
              updatedAt: new Date(),
              version: (config.version ?? 1) + 1,
            });
        }
      },
    };
  },
});

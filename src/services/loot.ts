// Operations that only loot profiles have: multiply amounts, and list every container.
import type { Ctx } from '../context.ts';
import type { Schemas } from '../platform-contract/types.ts';
import { scaledLoot } from '../plugin-configs/loot/scaling.ts';
import type { GameData } from './game-data.ts';
import type { PluginConfigs } from './plugin-configs/index.ts';
import type { PluginConfigRow } from './plugin-configs/rows.ts';

export interface ContainerRow {
  prefab: string;
  name: string | null;
  category: string | null;
  isConfigured: boolean;
  isEnabled: boolean;
  itemCount: number;
}

export class Loot {
  readonly #configs: PluginConfigs;
  readonly #gameData: GameData;

  constructor(configs: PluginConfigs, gameData: GameData) {
    this.#configs = configs;
    this.#gameData = gameData;
  }

  /** The version precondition ensures that no concurrent change is lost, or multiplied unseen. */
  async scale(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    { multiplier }: Schemas['LootScaling'],
  ): Promise<PluginConfigRow<'loot'>> {
    const { config_data, version } = await this.#configs.get(ctx, 'loot', id);
    return this.#configs.update<'loot'>(ctx, id, expectedVersions ?? [version], {
      kind: 'loot',
      config_data: scaledLoot(config_data, multiplier),
    });
  }

  async containers(ctx: Ctx, id: string): Promise<ContainerRow[]> {
    const { config_data } = await this.#configs.get(ctx, 'loot', id);
    const { loot_table, legacy_loot_table } = config_data;
    const table = loot_table ?? legacy_loot_table ?? {};
    const known = new Map(this.#gameData.containers.map((container) => [container.code, container]));
    const prefabs = [...new Set([...known.keys(), ...Object.keys(table)])].toSorted();
    return prefabs.map((prefab) => {
      const loot = Object.hasOwn(table, prefab) ? table[prefab] : undefined;
      return {
        prefab,
        name: known.get(prefab)?.name ?? null,
        category: known.get(prefab)?.category ?? null,
        isConfigured: loot !== undefined,
        isEnabled: loot?.is_enabled ?? (loot !== undefined && loot_table === undefined),
        itemCount: itemsIn(loot),
      };
    });
  }
}

function itemsIn(loot: { items?: object; guaranteed_items?: object } | undefined): number {
  return Object.keys({ ...loot?.items, ...loot?.guaranteed_items }).length;
}

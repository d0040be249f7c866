// Operations of the area `loot`.
import type { Schemas } from '../platform-contract/types.ts';
import type { ContainerRow } from '../services/loot.ts';
import type { Handlers } from './handlers.ts';
import { viewVersioned } from './plugin-configs.ts';

export const loot = {
  listLootConfigContainers: async (ctx, { path }) => ({
    data: (await ctx.services.loot.containers(ctx, path.loot_config_id)).map(viewContainer),
  }),
  scaleLootConfig: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.loot.scale(ctx, path.loot_config_id, expectedVersions, body)),
} satisfies Partial<Handlers>;

function viewContainer(container: ContainerRow): Schemas['LootContainerSettings'] {
  return {
    prefab: container.prefab,
    name: container.name,
    category: container.category,
    is_configured: container.isConfigured,
    is_enabled: container.isEnabled,
    item_count: container.itemCount,
  };
}

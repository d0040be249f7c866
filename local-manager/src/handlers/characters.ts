// Operations of the area `characters`.
import type { TechCatalog } from '../characters/tech-catalog.ts';
import type { Handlers } from './handlers.ts';

export const characters = {
  listCharacters: async (ctx, { query }) =>
    ctx.services.characters.list(query?.limit ?? 25, query?.cursor ?? '0'),
  getCharacter: async (ctx, { path }) => ctx.services.characters.get(path.characterId),
  getCharacterTech: async (ctx, { path }) => ctx.services.characters.tech(path.characterId),
  runTechUnlock: async (ctx, { path }) => ctx.services.characters.unlockAll(path.characterId),
  getTechCatalog: async (ctx) => viewCatalog(ctx.services.characters.catalog),
} satisfies Partial<Handlers>;

const viewCatalog = (nodes: TechCatalog) => ({ total: nodes.length, nodes: [...nodes] });

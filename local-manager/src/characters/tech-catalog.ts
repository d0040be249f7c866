// The nodes of the tech tree, by their names in the game's own files.
import type { components } from '../../../generated/local-manager.d.ts';
import { readOwnFile } from '../own-files.ts';

type Schemas = components['schemas'];
export type TechCatalog = readonly Schemas['TechCatalogNode'][];

/** One id per line: DA_GRP_ for groups, DA_REC_ for recipes. */
export function readTechCatalog(text = readOwnFile('data/tech-catalog.txt').toString('utf8')): TechCatalog {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((key) => {
      const kind = /^DA_(GRP|REC)_\S+$/.exec(key)?.[1];
      if (kind === undefined)
        throw new Error(`the catalogue has what is neither a group nor a recipe: ${key}`);
      return { key, kind: kind === 'GRP' ? 'group' : 'recipe' };
    });
}

export function kindOf(key: string): Schemas['TechNode']['kind'] {
  if (/^(DA_)?GRP_/.test(key)) return 'group';
  if (/^(DA_REC_|REC_|RCP_)/.test(key)) return 'recipe';
  return key.startsWith('BLD_') ? 'building' : 'other';
}

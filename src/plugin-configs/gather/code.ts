// Resources of gather rates that the game does not have.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Catalogue } from '../../game-catalogue/index.ts';
import type { CodeOf } from '../declared.ts';
import { escaped } from '../json-text.ts';
import type { Remark } from '../reading.ts';

const ways = ['gather', 'pickup', 'quarry', 'excavator', 'survey'] as const;
/** Rates of sources, which the plugin stores among those of resources. */
const sources = ['Tree', 'Ore', 'Flesh'];

/** The plugin identifies resources by their display names. */
function warningsOf(config: Schemas['GatherConfigData'], { names }: Catalogue): Remark[] {
  return ways.flatMap((way) =>
    Object.keys(config[way]?.others ?? {})
      .filter((name) => !names.has(name) && !sources.includes(name))
      .map((name) => ({
        pointer: `/${way}/others/${escaped(name)}`,
        detail: `${name} is not the display name of an item in the catalogue, by which the plugin identifies resources`,
      })),
  );
}

export const gather: CodeOf<'gather'> = { warningsOf };

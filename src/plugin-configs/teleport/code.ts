// Blocked items of player teleportation that the game does not have.
import type { Schemas } from '../../platform-contract/types.ts';
import type { Catalogue } from '../../game-catalogue/index.ts';
import type { CodeOf } from '../declared.ts';
import { escaped } from '../json-text.ts';
import type { Remark } from '../reading.ts';
import { unknownItems } from '../warnings.ts';

function warningsOf({ settings }: Schemas['TeleportConfigData'], catalogue: Catalogue): Remark[] {
  const named = Object.keys(settings?.blocked_items ?? {}).map((shortname) => ({
    pointer: `/settings/blocked_items/${escaped(shortname)}`,
    shortname,
  }));
  return unknownItems(named, catalogue, 'players cannot carry items that the game does not have');
}

export const teleport: CodeOf<'teleport'> = { warningsOf };

// The limit of configurations of each kind in a license.
import type { EntityManager } from '../../database/connection.ts';
import { PluginConfig } from '../../entities/index.ts';
import type { Limit } from '../../preconditions/limits.ts';

export const maxConfigsOfKind = 100;

export const configLimit = (em: EntityManager, licenseId: string, kind: string): Limit => ({
  subject: `plugin configs ${kind} ${licenseId}`,
  most: maxConfigsOfKind,
  count: () => em.count(PluginConfig, { kind }),
  detail: `A license has at most ${maxConfigsOfKind} configurations of a kind.`,
});

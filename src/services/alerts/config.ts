// Reads and changes the alert rules of a license.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import { AlertConfig } from '../../entities/index.ts';
import { refuseStale } from '../../preconditions/version.ts';
import { withChanges, type AlertRules } from './rules.ts';

export interface ConfigRow {
  rules: AlertRules;
  version: number;
}

export class AlertConfigs {
  async get(ctx: Ctx): Promise<ConfigRow> {
    return ctx.read(configOf);
  }

  async update(
    ctx: Ctx,
    expectedVersions: readonly number[] | null,
    { rules: changes }: Schemas['AlertConfigUpdate'],
  ): Promise<ConfigRow> {
    return ctx.transact(async (em, queries) => {
      await lockAlertConfig(ctx, em);
      const { rules, version } = await configOf(queries);
      refuseStale({ version }, expectedVersions);
      await storeRules(ctx, em, withChanges(rules, changes));
      return configOf(queries);
    });
  }
}

/** An advisory lock serialises changes: the first change inserts the row that the next one updates. */
export function lockAlertConfig({ licenseId }: Ctx, em: EntityManager): Promise<void> {
  return holdLock(em, `alert config ${licenseId}`);
}

export async function storeRules({ licenseId }: Ctx, em: EntityManager, rules: AlertRules): Promise<void> {
  const stored = await em.findOne(AlertConfig, licenseId);
  if (stored === null) em.create(AlertConfig, { rules });
  else em.assign(stored, { rules, version: (stored.version ?? 0) + 1 });
  await em.flush();
}

/** Returns the license's rules. Rules that the license has never changed have their defaults. */
export async function configOf(queries: Queries): Promise<ConfigRow> {
  const stored = await queries.selectFrom('alert_config').select(['rules', 'version']).executeTakeFirst();
  return { rules: withChanges(stored?.rules ?? {}, {}), version: stored?.version ?? 0 };
}

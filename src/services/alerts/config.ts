// When a license has alerts raised, as it reads and changes that.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdTurn } from '../../database/advisory-locks.ts';
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
    expectedVersion: number | null,
    { rules: changes }: Schemas['AlertConfigUpdate'],
  ): Promise<ConfigRow> {
    return ctx.transact(async (em, queries) => {
      await takeTurnOfConfig(ctx, em);
      const { rules, version } = await configOf(queries);
      refuseStale({ version }, expectedVersion);
      await storeRules(ctx, em, withChanges(rules, changes));
      return configOf(queries);
    });
  }
}

/** Changes take turns: the first one makes the row that the next one changes. */
export function takeTurnOfConfig({ licenseId }: Ctx, em: EntityManager): Promise<void> {
  return holdTurn(em, `alert config ${licenseId}`);
}

export async function storeRules({ licenseId }: Ctx, em: EntityManager, rules: AlertRules): Promise<void> {
  const stored = await em.findOne(AlertConfig, licenseId);
  if (stored === null) em.create(AlertConfig, { rules });
  else em.assign(stored, { rules, version: (stored.version ?? 0) + 1 });
  await em.flush();
}

/** As the license has it; one that has never said anything has what is usual. */
export async function configOf(queries: Queries): Promise<ConfigRow> {
  const stored = await queries.selectFrom('alert_config').select(['rules', 'version']).executeTakeFirst();
  return { rules: withChanges(stored?.rules ?? {}, {}), version: stored?.version ?? 0 };
}

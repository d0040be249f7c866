// Evaluates the figures of licenses and decides what happens to the alerts of each.
import type { EntityManager } from '../../database/connection.ts';
import { decide, type Decision } from './decision.ts';
import { evaluateAll, type Known, type Subject } from './figures.ts';
import { withChanges, type AlertKind, type AlertRules } from './rules.ts';
import { readRecentAlerts } from './open-alerts.ts';

/** A license that is due for evaluation. */
export interface Round {
  licenseId: string;
  /** Time of the previous evaluation. */
  lastEvaluatedMs: number;
}

export interface Evaluation {
  licenseId: string;
  rules: AlertRules;
  decision: Decision<Subject>;
  /** Whether no alert changes. */
  isQuiet: boolean;
}

/** The number of queries does not depend on the number of licenses. */
export async function evaluate(
  em: EntityManager,
  rounds: readonly Round[],
  ownVersion: string,
): Promise<Evaluation[]> {
  if (rounds.length === 0) return [];
  const ids = rounds.map(({ licenseId }) => licenseId);
  const rules = await rulesOf(em, ids);
  const recentAlerts = await readRecentAlerts(em, ids);
  const known = rounds.map((round): Known => ({
    ...round,
    rules: rules.get(round.licenseId) ?? withChanges({}, {}),
    playersBefore: recentAlerts.get(round.licenseId)?.playersBefore ?? new Map(),
    reportedCrashes: recentAlerts.get(round.licenseId)?.reportedCrashes ?? new Map(),
  }));
  const evaluated = await evaluateAll(em, known, ownVersion);
  return known.map(({ licenseId, rules: own }) => {
    const decision = decide(
      evaluated.get(licenseId) ?? [],
      recentAlerts.get(licenseId)?.alerts ?? [],
      enabledKinds(own),
    );
    const isQuiet = Object.values(decision).every((changes: readonly unknown[]) => changes.length === 0);
    return { licenseId, rules: own, decision, isQuiet };
  });
}

/** Returns the rules of the licenses that have stored any. */
async function rulesOf(
  em: EntityManager,
  licenseIds: readonly string[],
): Promise<ReadonlyMap<string, AlertRules>> {
  const rows = await em.execute<{ license_id: string; rules: Partial<AlertRules> }[]>(
    'select license_id, rules from alert_config where license_id = any(?::uuid[])',
    [`{${licenseIds.join(',')}}`],
  );
  return new Map(rows.map(({ license_id, rules }) => [license_id, withChanges(rules, {})]));
}

const enabledKinds = (rules: AlertRules) =>
  new Set((Object.keys(rules) as AlertKind[]).filter((kind) => rules[kind].is_enabled));

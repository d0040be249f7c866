// The figures of each rule, within the limits of the contract.
import type { Schemas } from '../../api/operations.ts';
import type alerts from '../../texts/en/alerts.json';

export type Rules = Schemas['AlertRules'];
export type RuleKind = keyof Rules;
export type FieldName = keyof (typeof alerts)['rules']['fields'];

export interface NumberField {
  min: number;
  max: number;
  step: number;
  isWhole: boolean;
}

const whole = (min: number, max: number, step = 1): NumberField => ({ min, max, step, isWhole: true });

/** The version is the one field that is not a number. */
export const numberFields: Readonly<Record<RuleKind, Partial<Record<FieldName, NumberField>>>> = {
  instance_crashed: {},
  host_down: { after_minutes: whole(0, 1440) },
  population_drop: {
    percent: whole(1, 100, 5),
    window_minutes: whole(10, 180, 5),
    min_players: whole(1, 1000),
  },
  low_fps: { fps: { min: 1, max: 1000, step: 1, isWhole: false }, window_minutes: whole(10, 180, 5) },
  disk_full: { percent: { min: 50, max: 100, step: 1, isWhole: false } },
  clock_wrong: { seconds: whole(5, 86_400, 5) },
  agent_outdated: {},
};

/** One rule with its figures by name, as a form edits them; an emptied figure is ''. */
export type RuleValues = { is_enabled: boolean; severity: Schemas['AlertSeverity'] } & Partial<
  Record<FieldName, number | string | null>
>;

export type RulesValues = Readonly<Record<RuleKind, RuleValues>>;

export const valuesOf = (rules: Rules): RulesValues => rules;

/** Figures that were emptied. */
export const emptyFields = (kind: RuleKind, values: RuleValues): FieldName[] =>
  (Object.keys(numberFields[kind]) as FieldName[]).filter((name) => typeof values[name] !== 'number');

/** The rules that differ, as the platform takes them. */
export function changedRules(
  values: RulesValues,
  former: RulesValues,
): Schemas['AlertConfigUpdate']['rules'] {
  const changed = Object.entries(values).filter(
    ([kind, rule]) => JSON.stringify(rule) !== JSON.stringify(former[kind as RuleKind]),
  );
  return Object.fromEntries(changed);
}

/** JSON pointers of everything that a form marks. */
export const pointers: readonly string[] = Object.entries(numberFields).flatMap(([kind, fields]) =>
  [...Object.keys(fields), 'severity', 'is_enabled', 'minimum_version'].map(
    (name) => `/rules/${kind}/${name}`,
  ),
);

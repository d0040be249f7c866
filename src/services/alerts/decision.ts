// Decides from verdicts and existing alerts which alerts are raised, reopened, repeated and ended.
import type { EndReason, Metadata, Verdict } from './conditions.ts';
import type { AlertKind } from './rules.ts';

/** Minutes after being raised in which an ended alert is reopened, instead of a new one being raised. */
export const suppressedMinutes = 30;

/** Uninterrupted minutes without the condition before an alert ends; longer for a reopened alert. */
export const wellMinutes = { first: 5, afterComingBack: 30 } as const;

export interface Evaluated<Subject> {
  kind: AlertKind;
  subjectId: string;
  subject: Subject;
  verdict: Verdict;
}

/** An alert that is open, or was raised recently enough to be reopened instead of raised again. */
export interface RecentAlert {
  id: string;
  kind: AlertKind;
  subjectId: string;
  isOpen: boolean;
  /** Time of the last crash that the alert reports. */
  crashedAt?: number | null;
  /** Whether the condition was absent at the last evaluation. */
  isWell: boolean;
  /** Whether the condition has been absent long enough to end the alert. */
  hasBeenWell: boolean;
}

export interface Decision<Subject> {
  raised: { kind: AlertKind; subject: Subject; metadata: Metadata }[];
  reopened: { id: string; metadata: Metadata }[];
  /** Open alerts whose instance has crashed again. */
  repeated: { id: string; metadata: Metadata }[];
  ended: { id: string; reason: EndReason | 'turned_off' | 'gone' }[];
  /** Alerts whose condition became absent at this evaluation. */
  wellSince: string[];
  /** Alerts whose condition was absent at the last evaluation, and now holds or is undecided. */
  notWell: string[];
}

/**
 * At most one alert is open for each kind and subject. An alert whose condition holds or is undecided is unchanged,
 * unless its instance has crashed again. It ends once the condition has been absent for `wellMinutes` without a break.
 * An alert whose condition returns within `suppressedMinutes` of being raised is reopened.
 */
export function decide<Subject>(
  evaluated: readonly Evaluated<Subject>[],
  recentAlerts: readonly RecentAlert[],
  enabled: ReadonlySet<AlertKind>,
): Decision<Subject> {
  const verdicts = new Map(evaluated.map((one) => [keyOf(one), one.verdict]));
  const known = new Map<string, RecentAlert>();
  for (const alert of recentAlerts)
    if (known.get(keyOf(alert))?.isOpen !== true) known.set(keyOf(alert), alert);
  const decision: Decision<Subject> = {
    raised: [],
    reopened: [],
    repeated: [],
    ended: [],
    wellSince: [],
    notWell: [],
  };
  for (const { kind, subject, subjectId, verdict } of evaluated) {
    const alert = known.get(keyOf({ kind, subjectId }));
    if (verdict?.holds !== true) continue;
    const { metadata, crashedAt = -Infinity } = verdict;
    if (alert?.isOpen === true) {
      if (crashedAt > (alert.crashedAt ?? Infinity)) decision.repeated.push({ id: alert.id, metadata });
    } else if (alert === undefined) decision.raised.push({ kind, subject, metadata });
    else decision.reopened.push({ id: alert.id, metadata });
  }
  for (const alert of recentAlerts) {
    if (!alert.isOpen) continue;
    const { id } = alert;
    const verdict = verdicts.get(keyOf(alert));
    if (!enabled.has(alert.kind)) decision.ended.push({ id, reason: 'turned_off' });
    else if (verdict === undefined) decision.ended.push({ id, reason: 'gone' });
    else if (verdict?.holds !== false) {
      if (alert.isWell) decision.notWell.push(id);
    } else if (!alert.isWell) decision.wellSince.push(id);
    else if (alert.hasBeenWell) decision.ended.push({ id, reason: verdict.end });
  }
  return decision;
}

const keyOf = ({ kind, subjectId }: { kind: AlertKind; subjectId: string }) => `${kind} ${subjectId}`;

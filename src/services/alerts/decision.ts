// Decides from what is so and what was told which alerts begin, come back and end.
import type { EndReason, Metadata, Verdict } from './conditions.ts';
import type { AlertKind } from './rules.ts';

/** For how long after it was raised an alert that has ended is the one that comes back, and no new one is raised. */
export const suppressedMinutes = 30;

/** For how long all must have been well before an alert ends; longer for one that has come back before. */
export const wellMinutes = { first: 5, afterComingBack: 30 } as const;

export interface Judged<Subject> {
  kind: AlertKind;
  subjectId: string;
  subject: Subject;
  verdict: Verdict;
}

/** An alert that is open, or was raised so lately that it comes back instead of being raised again. */
export interface Standing {
  id: string;
  kind: AlertKind;
  subjectId: string;
  isOpen: boolean;
  /** When the last crash was that the alert reports. */
  crashedAt?: number | null;
  /** Whether all was well at the last look. */
  isWell: boolean;
  /** Whether all has been well for long enough. */
  hasBeenWell: boolean;
}

export interface Decision<Subject> {
  raised: { kind: AlertKind; subject: Subject; metadata: Metadata }[];
  reopened: { id: string; metadata: Metadata }[];
  /** Open alerts whose instance has crashed again. */
  repeated: { id: string; metadata: Metadata }[];
  ended: { id: string; reason: EndReason | 'turned_off' | 'gone' }[];
  /** Of which all is well since this look. */
  wellSince: string[];
  /** Of which it is not so any more that all is well. */
  notWell: string[];
}

/**
 * Of each kind and subject one alert is open at most. One that still holds stays as it is, also where nothing is known
 * for a while, unless its instance has crashed again. It ends once all has been well for some minutes without a break, and
 * one that comes back too soon after it was raised is opened again.
 */
export function decide<Subject>(
  judged: readonly Judged<Subject>[],
  standing: readonly Standing[],
  enabled: ReadonlySet<AlertKind>,
): Decision<Subject> {
  const verdicts = new Map(judged.map((one) => [keyOf(one), one.verdict]));
  const known = new Map<string, Standing>();
  for (const alert of standing) if (known.get(keyOf(alert))?.isOpen !== true) known.set(keyOf(alert), alert);
  const decision: Decision<Subject> = {
    raised: [],
    reopened: [],
    repeated: [],
    ended: [],
    wellSince: [],
    notWell: [],
  };
  for (const { kind, subject, subjectId, verdict } of judged) {
    const alert = known.get(keyOf({ kind, subjectId }));
    if (verdict?.holds !== true) continue;
    const { metadata, crashedAt = -Infinity } = verdict;
    if (alert?.isOpen === true) {
      if (crashedAt > (alert.crashedAt ?? Infinity)) decision.repeated.push({ id: alert.id, metadata });
    } else if (alert === undefined) decision.raised.push({ kind, subject, metadata });
    else decision.reopened.push({ id: alert.id, metadata });
  }
  for (const alert of standing) {
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

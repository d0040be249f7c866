// Decides from what is so and what was told which alerts begin and which end.
import type { Metadata, Verdict } from './judging.ts';
import type { AlertKind } from './rules.ts';

/** For how long the same alert is not raised again after it was raised. */
export const suppressedMinutes = 30;

export interface Judged<Subject> {
  kind: AlertKind;
  subjectId: string;
  subject: Subject;
  verdict: Verdict;
}

/** An alert that is open, or was raised so lately that it is not raised again. */
export interface Standing {
  id: string;
  kind: AlertKind;
  subjectId: string;
  isOpen: boolean;
}

export interface Decision<Subject> {
  raised: { kind: AlertKind; subject: Subject; metadata: Metadata }[];
  ended: { id: string; reason: 'recovered' | 'turned_off' | 'gone' }[];
}

/**
 * Of each kind and subject one alert is open at most. One that still holds stays as it is, also where nothing is known
 * for a while; one that comes back too soon is left out until its time is over.
 */
export function decide<Subject>(
  judged: readonly Judged<Subject>[],
  standing: readonly Standing[],
  enabled: ReadonlySet<AlertKind>,
): Decision<Subject> {
  const verdicts = new Map(judged.map((one) => [keyOf(one), one.verdict]));
  const told = new Set(standing.map(keyOf));
  const reasonToEnd = (alert: Standing): Decision<Subject>['ended'][number]['reason'] | undefined => {
    if (!enabled.has(alert.kind)) return 'turned_off';
    const verdict = verdicts.get(keyOf(alert));
    if (verdict === undefined) return 'gone';
    return verdict?.holds === false ? 'recovered' : undefined;
  };
  return {
    raised: judged.flatMap((one) =>
      one.verdict?.holds === true && !told.has(keyOf(one))
        ? [{ kind: one.kind, subject: one.subject, metadata: one.verdict.metadata }]
        : [],
    ),
    ended: standing.flatMap((alert) => {
      const reason = alert.isOpen ? reasonToEnd(alert) : undefined;
      return reason === undefined ? [] : [{ id: alert.id, reason }];
    }),
  };
}

const keyOf = ({ kind, subjectId }: { kind: AlertKind; subjectId: string }) => `${kind} ${subjectId}`;

// The edited copy of a document that others may change in the meantime.
import { useState } from 'react';

export interface Draft<Values> {
  values: Values;
  set: (change: Partial<Values>) => void;
  isDirty: boolean;
  /** What the changes are based on. */
  base: { values: Values; version: string };
  /** The version that the changes are based on, for `If-Match`. */
  version: string;
  /** What another user has saved since the editing began; null unless both have changed the document. */
  theirs: Values | null;
  takeTheirs: () => void;
  /** Continues with the own values on top of the newer version. */
  keepMine: () => void;
  reset: () => void;
  /**
   * Takes what the platform has stored as the new base. It belongs to the render whose values were sent: what has been
   * changed since then is kept.
   */
  settle: (stored: Values, version: string) => void;
}

/** Changes that were kept when the page was left, and the version that they are based on. */
export interface KeptChanges<Values> {
  values: Values;
  base: { values: Values; version: string };
}

interface Base<Values> {
  values: Values;
  version: string;
  /** Versions that own changes have replaced: the current one may still be one of them, and is no newer one then. */
  replaced: readonly string[];
}

/** A newer version is taken over at once unless there are changes that it does not contain. */
export function useDraft<Values extends object>(
  current: Values,
  version: string,
  kept: KeptChanges<Values> | null = null,
): Draft<Values> {
  const [base, setBase] = useState<Base<Values>>({
    ...(kept?.base ?? { values: current, version }),
    replaced: [],
  });
  const [values, setValues] = useState(kept?.values ?? current);
  const isDirty = !isSame(values, base.values);
  const adopt = () => {
    setBase({ values: current, version, replaced: [] });
    setValues(current);
  };
  if (version === base.version && base.replaced.length > 0) setBase({ ...base, replaced: [] });
  const isOutdated = version !== base.version && !base.replaced.includes(version);
  if (isOutdated && (!isDirty || isSame(values, current))) adopt();
  return {
    values,
    isDirty,
    base,
    version: base.version,
    theirs: isOutdated && isDirty && !isSame(values, current) ? current : null,
    set: (change) => setValues((former) => ({ ...former, ...change })),
    takeTheirs: adopt,
    keepMine: () => setBase({ values: current, version, replaced: [] }),
    reset: () => setValues(base.values),
    settle: (stored, next) => {
      setBase({ values: stored, version: next, replaced: [...base.replaced, base.version, version] });
      setValues((now) => withLaterChanges(now, values, stored));
    },
  };
}

/** What is stored, with what has been changed since it was sent. */
function withLaterChanges<Values extends object>(now: Values, sent: Values, stored: Values): Values {
  const changed = (Object.keys(now) as (keyof Values)[]).filter((key) => !isSame(now[key], sent[key]));
  return { ...stored, ...Object.fromEntries(changed.map((key) => [key, now[key]])) };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The entity tag of a version. */
export const tagOf = (version: number): string => `"${version}"`;

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
  /** Takes what the platform has stored as the new base. */
  settle: (values: Values, version: string) => void;
  /** The same, but keeps what was changed while it was being stored. */
  rebase: (stored: Values, version: string) => void;
}

/** Changes that were kept when the page was left, and the version that they are based on. */
export interface KeptChanges<Values> {
  values: Values;
  base: { values: Values; version: string };
}

/** A newer version is taken over at once unless there are changes that it does not contain. */
export function useDraft<Values extends object>(
  current: Values,
  version: string,
  kept: KeptChanges<Values> | null = null,
): Draft<Values> {
  const [base, setBase] = useState(kept?.base ?? { values: current, version });
  const [values, setValues] = useState(kept?.values ?? current);
  const isDirty = !isSame(values, base.values);
  const adopt = () => {
    setBase({ values: current, version });
    setValues(current);
  };
  const isOutdated = version !== base.version;
  if (isOutdated && (!isDirty || isSame(values, current))) adopt();
  return {
    values,
    isDirty,
    base,
    version: base.version,
    theirs: isOutdated && isDirty && !isSame(values, current) ? current : null,
    set: (change) => setValues((former) => ({ ...former, ...change })),
    takeTheirs: adopt,
    keepMine: () => setBase({ values: current, version }),
    reset: adopt,
    settle: (stored, next) => {
      setBase({ values: stored, version: next });
      setValues(stored);
    },
    rebase: (stored, next) => setBase({ values: stored, version: next }),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The entity tag of a version. */
export const tagOf = (version: number): string => `"${version}"`;

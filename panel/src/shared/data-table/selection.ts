// The selected rows of a table.
import { useMemo, useRef, useState } from 'react';

export interface Selection {
  readonly size: number;
  has(key: string): boolean;
  set(keys: readonly string[]): void;
  /** With `isRange`, everything between the last toggled row and this one. */
  toggle(key: string, isRange: boolean): void;
}

/**
 * `order` is the keys as they are shown; keys that are no longer there are no longer selected. `first` are selected from
 * the beginning.
 */
export function useSelection(
  order: readonly string[],
  first: readonly string[] = [],
): Selection & { keys: readonly string[] } {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(first));
  const last = useRef<string | null>(null);
  return useMemo(() => {
    const keys = order.filter((key) => chosen.has(key));
    return {
      keys,
      size: keys.length,
      has: (key) => chosen.has(key),
      set: (next) => setChosen(new Set(next)),
      toggle: (key, isRange) => {
        const next = new Set(chosen);
        const isAdding = !next.has(key);
        const [from, to] = [order.indexOf(last.current ?? key), order.indexOf(key)];
        const range =
          isRange && from !== -1 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
        for (const each of range) {
          if (isAdding) next.add(each);
          else next.delete(each);
        }
        last.current = key;
        setChosen(next);
      },
    };
  }, [order, chosen]);
}

// The names of the license's game servers by their ID, for lists of what concerns them.
import { useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';

export interface ServerNames {
  /** Empty without the permission to see servers. */
  names: ReadonlyMap<string, string>;
  /** For select fields, by name. */
  choices: readonly { value: string; label: string }[];
  isLoaded: boolean;
}

export function useServerNames(): ServerNames {
  const may = useMay('GET /api/fleet/instances');
  const { items, isComplete } = usePages('/api/fleet/instances', {}, { all: true, enabled: may });
  return useMemo(() => {
    const names = new Map((items ?? []).map(({ id, name }) => [id, name]));
    const choices = [...names]
      .map(([value, label]) => ({ value, label }))
      .sort((one, other) => one.label.localeCompare(other.label, undefined, { numeric: true }));
    return { names, choices, isLoaded: !may || isComplete };
  }, [items, isComplete, may]);
}

// Which settings are shown: those of the version, that match the search, and that are set if only these are asked for.
import { isObject, valueAt, type Json } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { formOf, isOf, type Schema } from '../../schema/schema.ts';

export interface Filter {
  generation: string | null;
  search: string;
  isSetOnly: boolean;
}

export const isFiltering = ({ search, isSetOnly }: Filter): boolean => search.trim() !== '' || isSetOnly;

/** Whether the setting, or one inside of it, is shown. */
export function isShown(name: string, schema: Schema, value: Json | undefined, filter: Filter): boolean {
  if (!isOf(schema, filter.generation)) return false;
  if (filter.isSetOnly && value === undefined) return false;
  const isFound = matches(name, schema, filter.search);
  if (formOf(schema) !== 'object' || schema.required !== undefined) return isFound;
  const inner = isFound ? { ...filter, search: '' } : filter;
  return Object.entries(schema.properties ?? {}).some(([field, part]) =>
    isShown(field, part, valueAt(value, [field]), inner),
  );
}

export function matches(name: string, { key = '', description = '' }: Schema, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return (
    wanted === '' ||
    [settingName(name).name, name, key, description].some((text) => text.toLowerCase().includes(wanted))
  );
}

export interface Counts {
  set: number;
  total: number;
}

/** How many settings a part has, and how many of them are set; lists and maps are one each. */
export function countsOf(schema: Schema, value: Json | undefined, generation: string | null): Counts {
  if (!isOf(schema, generation)) return { set: 0, total: 0 };
  if (formOf(schema) !== 'object' || schema.required !== undefined)
    return { set: value === undefined ? 0 : 1, total: 1 };
  return Object.entries(schema.properties ?? {}).reduce(
    (sum, [field, part]) => {
      const inner = isObject(value) ? valueAt(value, [field]) : undefined;
      const counts = countsOf(part, inner, generation);
      return { set: sum.set + counts.set, total: sum.total + counts.total };
    },
    { set: 0, total: 0 },
  );
}

/** Inside of what was found, everything is shown. */
export const noFilter = ({ generation }: Filter): Filter => ({ generation, search: '', isSetOnly: false });

// Settings as JSON, changed at a place without changing the former value.
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const entriesOf = (value: Json | undefined): [string, Json][] =>
  isObject(value) ? Object.entries(value) : [];

export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((inner, step) => {
    if (isList(inner)) return inner[Number(step)];
    // Names come from files: `constructor` is there only if the settings have it.
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}

/** The same settings with another value at the place; `undefined` removes it. */
export function withValue(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list = isList(value) ? [...value] : [];
    const inner = withValue(list[step], rest, next);
    if (inner === undefined) list.splice(step, 1);
    else list[step] = inner;
    return list;
  }
  const object: Record<string, Json> = { ...(isObject(value) ? value : {}) };
  const inner = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, next);
  if (inner === undefined) delete object[step];
  else object[step] = inner;
  return object;
}

/** The same object with an entry under another name, in the same place. */
export const renamed = (object: JsonObject, name: string, next: string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key === name ? next : key, value]));

/** A plain value as it is typed, anything else as JSON. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** How many values are set, counting a list or a map with plain values as one. */
export function countOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 0);
}

/** The places at which two settings differ, outermost lists and values. */
export function differences(one: Json | undefined, other: Json | undefined, path: Path = []): Path[] {
  if (isSame(one, other)) return [];
  if (!isObject(one) || !isObject(other)) return [path];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], [...path, name]));
}

/** A place in words: `kits › starter › items[2]`. */
export const placeOf = (path: Path): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step + 1}]` : text === '' ? step : `${text} › ${step}`,
    '',
  );

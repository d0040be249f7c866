// Removes the examples from a document before types are made of it: the documentation has them.

/** Fields of schemas may have the name `example`; entries of these maps stay. */
const maps = ['properties', 'schemas', 'patternProperties'];

export function withoutExamples<T>(value: T, isMap = false): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withoutExamples(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isMap || (key !== 'example' && key !== 'examples'))
      .map(([key, inner]) => [key, withoutExamples(inner, maps.includes(key) && !isMap)]),
  ) as T;
}

// Writes the descriptions of enum values in the form of client generators: an array in the order of the
// values.

/** In the source each description stands beside its value; a value without one, or the reverse, is an error. */
export function withEnumDescriptions<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withEnumDescriptions(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [key, withEnumDescriptions(inner)]),
  );
  const { enum: values, 'x-enum-descriptions': texts } = node;
  if (!Array.isArray(values) || typeof texts !== 'object' || texts === null) return node as T;
  const named = new Map(Object.entries(texts));
  const inOrder = values.map((name) => {
    const text = named.get(String(name)) as unknown;
    if (typeof text !== 'string') throw new Error(`the contract does not describe ${String(name)}`);
    return text;
  });
  if (named.size !== values.length)
    throw new Error('the contract describes values that an enum does not have');
  return { ...node, 'x-enum-descriptions': inOrder } as T;
}

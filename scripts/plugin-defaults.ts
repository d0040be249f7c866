// Writes into the descriptions of a bundle what plugins do with a field that nobody has set.

/**
 * A schema's `default` says what is assumed where a value is missing, and generators make such fields required or fill
 * them in. What is missing in a configuration stays as the server has it; so the plugin's own value has a name of its
 * own, and is told to people in words.
 */
export function withPluginDefaults<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withPluginDefaults(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    withPluginDefaults(inner),
  ]);
  const schema = Object.fromEntries(entries) as Record<string, unknown>;
  const { description, 'x-plugin-default': ofPlugin } = schema;
  const isTold = typeof description === 'string' && ofPlugin !== undefined && isShort(ofPlugin);
  return (
    isTold
      ? { ...schema, description: `${description.trim()} The plugin has \`${JSON.stringify(ofPlugin)}\`.` }
      : schema
  ) as T;
}

const isShort = (value: unknown) => JSON.stringify(value).length <= 60;

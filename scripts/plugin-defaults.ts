// Adds to the descriptions of a bundle how plugins treat unset fields.

/**
 * A schema's `default` is assumed for a missing value, and generators make such fields required or fill them
 * in. A field missing in a configuration stays unchanged on the server; so the plugin's own value has a name
 * of its own, and is described in words.
 */
export function withPluginDefaults<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withPluginDefaults(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    withPluginDefaults(inner),
  ]);
  const schema = Object.fromEntries(entries) as Record<string, unknown>;
  const { description = '', 'x-plugin-default': ofPlugin } = schema;
  if (typeof description !== 'string' || ofPlugin === undefined || !isShort(ofPlugin)) return schema as T;
  const stated = `${description.trim()} Default: \`${JSON.stringify(ofPlugin)}\`.`;
  return { ...schema, description: stated.trimStart() } as T;
}

/** Whether a description states the value. */
export const isShort = (value: unknown) => JSON.stringify(value).length <= 60;

// Prepares the published form of the contract, without the extensions that only this server reads.

/** Extensions that client generators read. */
const publicExtensions = new Set(['x-enum-descriptions']);

/** Keys whose content is literal values, or names that the contract chose; it stays unchanged. */
const literals = new Set(['example', 'default', 'enum', 'const', 'value']);

export function published(document: unknown): unknown {
  return withoutExtensions(document, false);
}

function withoutExtensions(node: unknown, isMapOfNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutExtensions(item, false));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
      if (isMapOfNames) return [[key, withoutExtensions(value, false)]];
      if (key.startsWith('x-') && !publicExtensions.has(key)) return [];
      return [[key, literals.has(key) ? value : withoutExtensions(value, key === 'properties')]];
    }),
  );
}

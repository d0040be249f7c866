// Which keys of a document hold literal values or names of its own, and which extensions are public.
import type { Node } from './document.ts';

/** Extensions that documentation and client generators read. All others are for the server alone. */
export const publicExtensions: ReadonlySet<string> = new Set([
  'x-codeSamples',
  'x-deprecated-on',
  'x-enum-descriptions',
  'x-extensible-enum',
  'x-successor',
  'x-sunset',
  'x-tagGroups',
]);

/** Keys whose content is literal values. */
export const literalKeys: ReadonlySet<string> = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'value',
  'x-extensible-enum',
]);

/** Keys whose content is a map with names that the document chose. */
export const mapKeys: ReadonlySet<string> = new Set([
  'properties',
  'schemas',
  'patternProperties',
  'paths',
  'mapping',
]);

/** A copy without the extensions that are for the server alone. */
export function withPublicExtensions<Copied>(node: Copied, isMap = false): Copied {
  if (Array.isArray(node)) return (node as unknown[]).map((item) => withPublicExtensions(item)) as Copied;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node as Node).flatMap(([key, value]) => {
      if (isMap) return [[key, withPublicExtensions(value)]];
      if (key.startsWith('x-') && !publicExtensions.has(key)) return [];
      return [[key, literalKeys.has(key) ? value : withPublicExtensions(value, mapKeys.has(key))]];
    }),
  ) as Copied;
}

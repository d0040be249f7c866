// Where the schema of an operation's JSON body stands in its document.
import type { Document, Operation } from './document.ts';
import { selectedBy } from './reduced-document.ts';

/** The JSON pointer, without its first slash. */
export function pointerOf(document: Document, { path, method, variant }: Operation): string {
  const keys = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  const selected = variant && selectedBy(variant, bodyUnion(document, keys));
  if (selected !== undefined) return selected.slice('#/'.length);
  return keys.map((key) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/');
}

/** The named schema of the body. */
function bodyUnion(document: Document, keys: readonly string[]): unknown {
  const at = (steps: readonly string[]) =>
    steps.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
  const { $ref } = (at(keys) ?? {}) as { $ref?: string };
  return $ref === undefined ? undefined : at($ref.split('/').slice(1));
}

// Follows the references of a document to the components that a part of it needs.
import { resolved, type Node, type Reference } from './document.ts';

export type Components = Record<string, Node>;

/** The components that the parts reference, directly or through others. Throws if the document lacks one. */
export function reachedComponents(document: object, start: unknown): Components {
  const reached: Components = {};
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node === null || typeof node !== 'object') continue;
    const { $ref } = node as Partial<Reference>;
    if (typeof $ref === 'string') {
      const [, , kind = '', name = ''] = $ref.split('/');
      if (reached[kind]?.[name] === undefined) {
        const found = resolved<unknown>(
          { components: (document as { components?: object }).components },
          {
            $ref,
          },
        );
        (reached[kind] ??= {})[name] = found;
        waiting.push(found);
      }
    }
    waiting.push(...(Object.values(node) as unknown[]));
  }
  return reached;
}

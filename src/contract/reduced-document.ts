// Reduces a document to the paths and the components that one validator, or one operation, needs.
import { methods, type Document, type Operation, type Variant } from './document.ts';

/**
 * The document reduced to one validator: its paths, and only the components that they reference. With a variant, each
 * union that the variant's parameter discriminates is only the schema that its value selects.
 */
export function documentOfValidator(
  document: Document,
  { validator, variant }: Pick<Operation, 'validator' | 'variant'>,
): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([, item]) =>
      methods.some((method) => (item[method]?.['x-validator'] ?? item[method]?.tags[0]) === validator),
    ),
  );
  const { openapi, info } = document;
  const selected = variant === undefined ? document : withSelected(document, variant);
  return { openapi, info, paths, components: reachedComponents(selected, paths) };
}

interface Union {
  oneOf?: unknown;
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
}

/** The reference of the schema that the variant selects, if the schema is a union with that discriminator. */
export function selectedBy({ parameter, value }: Variant, schema: unknown): string | undefined {
  const { oneOf, discriminator } = (schema ?? {}) as Union;
  if (oneOf === undefined || discriminator?.propertyName !== parameter) return undefined;
  return discriminator.mapping[value];
}

function withSelected(document: Document, variant: Variant): Document {
  const schemas = Object.entries(document.components['schemas'] ?? {}).map(([name, schema]) => {
    const $ref = selectedBy(variant, schema);
    return [name, $ref === undefined ? (schema as unknown) : { $ref }] as const;
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** The components that the node references, directly or through others. */
export function reachedComponents(document: Document, start: unknown): Document['components'] {
  const reached: Record<string, Record<string, unknown>> = {};
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node === null || typeof node !== 'object') continue;
    const reference = (node as { $ref?: unknown }).$ref;
    if (typeof reference === 'string') {
      const [, , kind = '', name = ''] = reference.split('/');
      const found = (document.components[kind] as Record<string, unknown> | undefined)?.[name];
      if (found === undefined) throw new Error(`${reference} is not in the document`);
      if (reached[kind]?.[name] === undefined) {
        (reached[kind] ??= {})[name] = found;
        waiting.push(found);
      }
    }
    waiting.push(...(Object.values(node) as unknown[]));
  }
  return { ...reached, securitySchemes: document.components.securitySchemes ?? {} };
}

// Reduces a document to the paths and the components that one validator needs.
import { methods } from '../../shared/openapi/document.ts';
import { reachedComponents } from '../../shared/openapi/references.ts';
import type { Document, Operation, Variant } from './document.ts';

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
  const { securitySchemes = {} } = document.components;
  return { openapi, info, paths, components: { ...reachedComponents(selected, paths), securitySchemes } };
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

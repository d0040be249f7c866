// Types an extensible list of values: the known ones, which editors suggest, and any other text.
import ts from 'typescript';
import type { Schema } from '../shared/openapi/schema.ts';

const { factory } = ts;

/** Undefined for schemas without such a list of texts. */
export function openEnumType(schema: Schema): ts.TypeNode | undefined {
  const values = schema['x-extensible-enum'];
  if (values === undefined || !values.every((value) => typeof value === 'string')) return undefined;
  const known = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  // Without the empty object the known values would disappear in `string`.
  const others = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  const acceptsNull = [schema.type ?? []].flat().includes('null');
  const alternatives = [...known, factory.createParenthesizedType(others)];
  return factory.createUnionTypeNode(
    acceptsNull ? [...alternatives, factory.createLiteralTypeNode(factory.createNull())] : alternatives,
  );
}

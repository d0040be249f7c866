// An operation as an agent needs it: parameters, the schema of the body, and the rules for calling it.
import type { Contract, Operation, Schema } from '../contract.ts';
import { permissionsOf } from '../describe.ts';

const maxDepth = 6;

/** Keywords that help to write a valid value. */
const keptKeywords = [
  'type',
  'format',
  'enum',
  'const',
  'description',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'required',
] as const;

export function briefly(operation: Operation): Record<string, unknown> {
  return {
    operation_id: operation.id,
    summary: operation.summary,
    request: `${operation.method} ${operation.path}`,
    permissions: permissionsOf(operation),
    kind: kindOf(operation),
  };
}

export function kindOf({ method, isDestructive }: Operation): string {
  if (method === 'GET') return 'read';
  return isDestructive ? 'destructive change, needs confirmation' : 'change, needs confirmation';
}

export function described(contract: Contract, operation: Operation): Record<string, unknown> {
  const parameters = operation.fields
    .filter(({ place }) => place !== 'body')
    .map(({ name, place, isRequired, schema, description }) => ({
      name,
      in: place,
      required: isRequired,
      description,
      schema: plain(contract, schema, 0),
    }));
  const { bodyType, bodySchema, success } = operation;
  return {
    ...briefly(operation),
    description: operation.description,
    parameters,
    ...(bodyType === undefined
      ? {}
      : {
          body: {
            content_type: bodyType,
            required: operation.isBodyRequired,
            schema: plain(contract, bodySchema ?? {}, 0),
          },
        }),
    returns: {
      status: success.status,
      content_type: success.type,
      ...(operation.isList
        ? {
            page_of: Object.keys(
              contract.merged(success.schema?.properties?.['data']?.items ?? {}).properties ?? {},
            ),
          }
        : { fields: Object.keys(success.schema?.properties ?? {}) }),
    },
    problems: Object.fromEntries(operation.problems),
  };
}

/** The schema without references, as deep as a caller can use it. */
function plain(contract: Contract, schema: Schema, depth: number): unknown {
  const resolved = contract.merged(schema);
  const kept: Record<string, unknown> = {};
  for (const keyword of keptKeywords) if (resolved[keyword] !== undefined) kept[keyword] = resolved[keyword];
  if (depth >= maxDepth) return { ...kept, note: 'deeper levels are left out' };
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const alternatives = resolved[keyword];
    if (alternatives !== undefined)
      kept[keyword] = alternatives.map((each) => plain(contract, each, depth + 1));
  }
  const { items, properties } = resolved;
  if (items !== undefined) kept['items'] = plain(contract, items, depth + 1);
  if (properties !== undefined)
    kept['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]: [string, Schema]) => [
        name,
        {
          ...(plain(contract, each, depth + 1) as object),
          ...(each.description === undefined ? {} : { description: each.description }),
        },
      ]),
    );
  return kept;
}

// Writes a contract's unions as the validator takes them: by what their discriminator says, only that kind is checked.

interface Union {
  oneOf: unknown[];
  discriminator: { propertyName: string; mapping: Readonly<Record<string, string>> };
}

/**
 * A copy in which each union with a discriminator is a choice by its value, so that the faults of a body are those of
 * the kind that it says it is. The validator itself takes a discriminator for one of the whole body, wherever the
 * contract has it. Defaults that are others' are left out.
 */
export function withChoices<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), function (this: object, key, value: unknown) {
    if (key === 'default' && isKeyOfOthers(this)) return undefined;
    return isUnion(value) ? choiceOf(value) : value;
  }) as T;
}

/** What others make of a field that is left out is theirs to say: it is not filled in. */
const isKeyOfOthers = (schema: object) => 'x-key' in schema || 'x-defaults' in schema;

function isUnion(value: unknown): value is Union {
  return typeof value === 'object' && value !== null && 'discriminator' in value && 'oneOf' in value;
}

function choiceOf({ oneOf: _kinds, discriminator, ...rest }: Union): unknown {
  const { propertyName, mapping } = discriminator;
  return {
    ...rest,
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { type: 'string', enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([value, reference]) => ({
      if: { required: [propertyName], properties: { [propertyName]: { const: value } } },
      then: { $ref: reference },
    })),
  };
}

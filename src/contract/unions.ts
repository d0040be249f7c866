// Rewrites unions with a discriminator so that the validator checks only the variant that it names.

interface Union {
  oneOf: unknown[];
  discriminator: { propertyName: string; mapping: Readonly<Record<string, string>> };
}

/**
 * A copy in which each discriminated union is a choice by the discriminator's value, so that a body's faults are those
 * of the variant that it names. The validator itself applies a discriminator to the whole body, wherever the contract
 * has it. Defaults that belong to other parties are left out.
 */
export function withChoices<T>(document: T): T {
  return JSON.parse(JSON.stringify(document), function (this: object, key, value: unknown) {
    if (key === 'default' && isKeyOfOthers(this)) return undefined;
    return isUnion(value) ? choiceOf(value) : value;
  }) as T;
}

/** The default of an omitted field belongs to another party (the plugin), so it is not filled in. */
const isKeyOfOthers = (schema: object) => 'x-key' in schema;

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

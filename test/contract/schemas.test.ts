// Requirements for every schema of the contract, and bounds for every request.
import { contract, operations } from '../support/contract.ts';
import { follow, placesOf, typesOf, type Place, type Schema, type Schemas } from '../support/schemas.ts';

const { schemas } = contract.components;

interface NamedPlace extends Place {
  /** The schema and its location, for messages. */
  at: string;
}

interface Root {
  at: string;
  schema: Schema;
}

const placesIn = ({ at, schema }: Root, following?: Schemas): NamedPlace[] =>
  placesOf(schema, following).map((place) => ({ ...place, at: [at, ...place.path].join('/') }));

/** Everything callers send: each parameter and each body. */
const requests: Root[] = operations.flatMap(({ id, parameters, body }) => [
  ...parameters.map(({ name, in: part, schema }) => ({ at: `${id} ${part} ${name}`, schema })),
  ...(body?.types ?? []).map(({ type, schema }) => ({ at: `${id} ${type}`, schema })),
]);

const replies: Root[] = operations.flatMap((operation) =>
  operation.replies.map(({ schema }) => ({ at: `${operation.id} responses`, schema })),
);

const named: Root[] = Object.entries(schemas).map(([at, schema]) => ({ at, schema }));

/** Every schema within what callers send. */
const requested = requests.flatMap((request) => placesIn(request, schemas));

/** Every schema of the contract, once, where it is written. */
const written = [...named, ...requests, ...replies].flatMap((item) => placesIn(item));

const is = (type: string) => (place: Place) => typesOf(place.schema).includes(type);
const isNumber = (place: Place) => is('integer')(place) || is('number')(place);
const isNamed = ({ schema }: Place) => schema.enum !== undefined || schema.const !== undefined;

const faults = (places: NamedPlace[], isFine: (place: NamedPlace) => boolean) => [
  ...new Set(places.filter((place) => !isFine(place)).map(({ at }) => at)),
];

/** Formats with a maximum length. */
const boundedFormats = ['uuid', 'date-time', 'date', 'ipv4', 'ipv6'];

/** Whether the pattern covers the whole text and repeats nothing without a limit. */
function isBounded(pattern: string): boolean {
  const inside = pattern.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
  return /^\^.*\$$/.test(pattern) && !inside.includes('|') && !/[*+]|\{\d+,\}/.test(inside);
}

describe('requests', () => {
  it('reject invisible characters in every name', () => {
    const names = requested.filter(
      ({ path, schema }) => path.at(-1) === 'name' && typesOf(schema).includes('string'),
    );
    expect(names.length).toBeGreaterThan(3);
    expect(faults(names, ({ schema }) => schema.format === 'display-name')).toEqual([]);
  });

  it('have a minimum and a maximum for every number', () => {
    const isFine = ({ schema }: Place) =>
      (schema.minimum ?? schema.exclusiveMinimum) !== undefined &&
      (schema.maximum ?? schema.exclusiveMaximum) !== undefined;
    expect(faults(requested.filter(isNumber), (place) => isNamed(place) || isFine(place))).toEqual([]);
  });

  it('have a maximum length for every text', () => {
    const isFine = ({ schema: { maxLength, format, pattern } }: Place) =>
      maxLength !== undefined ||
      boundedFormats.includes(format ?? '') ||
      (pattern !== undefined && isBounded(pattern));
    const texts = requested.filter(is('string')).filter(({ schema }) => schema.format !== 'binary');
    expect(faults(texts, (place) => isNamed(place) || isFine(place))).toEqual([]);
  });

  it('have a maximum number of entries for every list and map', () => {
    const lists = faults(requested.filter(is('array')), ({ schema }) => schema.maxItems !== undefined);
    const maps = faults(
      requested.filter(({ schema }) => typeof schema.additionalProperties === 'object'),
      ({ schema }) => schema.maxProperties !== undefined,
    );
    expect([...lists, ...maps]).toEqual([]);
  });

  it('have a type everywhere', () => {
    const isFine = ({ schema }: Place) =>
      typesOf(schema).length > 0 ||
      isNamed({ path: [], schema }) ||
      [schema.allOf, schema.oneOf, schema.anyOf].some((parts) => parts !== undefined);
    expect(faults(requested, (place) => place.path.length === 0 || isFine(place))).toEqual([]);
  });

  it('have only named fields in every object', () => {
    const isFine = ({ schema }: Place) =>
      schema.additionalProperties !== undefined || schema.unevaluatedProperties === false;
    const objects = requested.filter(is('object')).filter(({ schema }) => schema.properties !== undefined);
    expect(faults(objects, isFine)).toEqual([]);
  });
});

it('name a resource in the same place for every method', () => {
  const requiredInQuery = operations.flatMap(({ path, parameters }) =>
    parameters
      .filter((one) => one.in === 'query' && one.required === true)
      .map(({ name }) => ({ path, name })),
  );
  const alsoInBodies = requiredInQuery.flatMap(({ path, name }) =>
    operations
      .filter((operation) => operation.path === path)
      .filter(({ body }) =>
        body?.types.some(({ schema }) => name in (follow(schema, schemas).properties ?? {})),
      )
      .map(({ id }) => `${id} takes ${name} in its body`),
  );
  expect([...new Set(alsoInBodies)]).toEqual([]);
});

describe('numbers', () => {
  it('of more than 31 bits declare their format', () => {
    const isFine = ({ schema: { format, minimum = -Infinity, maximum = Infinity } }: Place) =>
      format === 'int64' || format === 'int32' || (maximum < 2 ** 31 && minimum >= -(2 ** 31));
    const integers = written.filter(is('integer'));
    expect(faults(integers, (place) => isNamed(place) || isFine(place))).toEqual([]);
  });
});

/** Every field of an object, as declared and with the additions of a reference. */
const fields = written.flatMap(({ at, schema }) =>
  Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const seen = follow(field, schemas);
    const [only, ...others] = seen.allOf ?? [];
    const inherited = only !== undefined && others.length === 0 ? follow(only, schemas) : undefined;
    return { at: `${at}/${name}`, name, schema: { ...inherited, ...seen } };
  }),
);

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
const noise = ['a', 'an', 'the', 'of', 'its', 's', 'this'];

/** Whether the description says more than the name of the field and of its parent. */
function saysSomething(description: string, ...names: string[]): boolean {
  const known = new Set([...noise, ...names.flatMap((name) => wordsOf(name.replace(/([A-Z])/g, ' $1')))]);
  return wordsOf(description).some((word) => !known.has(word));
}

/** Plugins have hundreds of settings; a setting needs no description where its name says all. */
const isOfKind = (at: string) => {
  const [name = '', field] = at.split('/');
  return (field === 'kind' && /Config\w*$/.test(name)) || JSON.stringify(schemas[name]).includes('"x-key":');
};

describe('descriptions', () => {
  it('exist for every field, and say more than its name', () => {
    const isFine = ({ schema: { description }, name, at }: (typeof fields)[number]) =>
      isOfKind(at)
        ? description === undefined || description.trimEnd().endsWith('.')
        : description !== undefined &&
          description.trimEnd().endsWith('.') &&
          saysSomething(description, name, ...at.split('/'));
    expect(fields.filter((field) => !isFine(field)).map(({ at }) => at)).toEqual([]);
  });

  it('exist for every parameter', () => {
    const silent = operations.flatMap(({ id, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${id} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('say what `null` means wherever it is allowed', () => {
    const mayBeNull = (schema: Schema): boolean =>
      typesOf(follow(schema, schemas)).includes('null') ||
      [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].some(mayBeNull);
    const silent = fields.filter(
      ({ schema }) => mayBeNull(schema) && !schema.description?.includes('`null`'),
    );
    expect(silent.map(({ at }) => at)).toEqual([]);
  });
});

interface Page {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

const isPage = (example: unknown): example is Page =>
  typeof example === 'object' && example !== null && 'data' in example && 'next_cursor' in example;

/** Every example of a page, with its location. */
const pages = [
  ...Object.entries(schemas).map(([name, { example }]) => ({ at: name, example })),
  ...operations.flatMap(({ id, replies }) =>
    replies.flatMap(({ examples }) => examples.map((example) => ({ at: id, example }))),
  ),
].flatMap(({ at, example }) => (isPage(example) ? [{ at, example }] : []));

describe('examples', () => {
  it('of cursors are those of pages', () => {
    const cursors = new Set(pages.map(({ example }) => example.next_cursor));
    expect([...cursors]).toContain(schemas['NextCursor']?.example);
  });

  it('of pages have an entry', () => {
    expect(pages.length).toBeGreaterThanOrEqual(10);
    expect(pages.filter(({ example }) => example.data.length === 0).map(({ at }) => at)).toEqual([]);
  });

  it('of pages have the cursor that continues after their last entry', () => {
    for (const { at, example } of pages) {
      const key = Buffer.from(example.next_cursor ?? '', 'base64url').toString();
      const values = Object.values(example.data.at(-1) ?? {});
      // Where several values identify an entry, they follow one another. Events have cursors of their own.
      const isOfLast =
        values.includes(key) ||
        values.includes(example.next_cursor) ||
        key.split(' ').every((part) => values.includes(part));
      expect({ at, key, isOfLast }).toEqual({ at, key, isOfLast: true });
    }
  });
});

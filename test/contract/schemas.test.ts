// What every schema of the contract owes its readers, and what every request has to be bounded by.
import { contract, operations } from '../support/contract.ts';
import { follow, placesOf, typesOf, type Place, type Schema, type Schemas } from '../support/schemas.ts';

const { schemas } = contract.components;

interface NamedPlace extends Place {
  /** For people to find it by. */
  at: string;
}

interface Root {
  at: string;
  schema: Schema;
}

const placesIn = ({ at, schema }: Root, following?: Schemas): NamedPlace[] =>
  placesOf(schema, following).map((place) => ({ ...place, at: [at, ...place.path].join('/') }));

/** What callers send: each parameter and each body. */
const requests: Root[] = operations.flatMap(({ id, parameters, body }) => [
  ...parameters.map(({ name, in: part, schema }) => ({ at: `${id} ${part} ${name}`, schema })),
  ...(body?.types ?? []).map(({ type, schema }) => ({ at: `${id} ${type}`, schema })),
]);

const replies: Root[] = operations.flatMap((operation) =>
  operation.replies.map(({ schema }) => ({ at: `${operation.id} answers`, schema })),
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

/** Formats that say how long a text is at most. */
const boundedFormats = ['uuid', 'date-time', 'date', 'ipv4', 'ipv6'];

/** Whether the pattern speaks of the whole text and repeats nothing without end. */
function isBounded(pattern: string): boolean {
  const inside = pattern.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
  return /^\^.*\$$/.test(pattern) && !inside.includes('|') && !/[*+]|\{\d+,\}/.test(inside);
}

describe('what callers send', () => {
  it('shows to people as it is, wherever it is a name', () => {
    const names = requested.filter(
      ({ path, schema }) => path.at(-1) === 'name' && typesOf(schema).includes('string'),
    );
    expect(names.length).toBeGreaterThan(3);
    expect(faults(names, ({ schema }) => schema.format === 'display-name')).toEqual([]);
  });

  it('has both ends wherever it is a number', () => {
    const isFine = ({ schema }: Place) =>
      (schema.minimum ?? schema.exclusiveMinimum) !== undefined &&
      (schema.maximum ?? schema.exclusiveMaximum) !== undefined;
    expect(faults(requested.filter(isNumber), (place) => isNamed(place) || isFine(place))).toEqual([]);
  });

  it('has a longest length wherever it is a text', () => {
    const isFine = ({ schema: { maxLength, format, pattern } }: Place) =>
      maxLength !== undefined ||
      boundedFormats.includes(format ?? '') ||
      (pattern !== undefined && isBounded(pattern));
    const texts = requested.filter(is('string')).filter(({ schema }) => schema.format !== 'binary');
    expect(faults(texts, (place) => isNamed(place) || isFine(place))).toEqual([]);
  });

  it('has a largest number of entries wherever it is a list or a map', () => {
    const lists = faults(requested.filter(is('array')), ({ schema }) => schema.maxItems !== undefined);
    const maps = faults(
      requested.filter(({ schema }) => typeof schema.additionalProperties === 'object'),
      ({ schema }) => schema.maxProperties !== undefined,
    );
    expect([...lists, ...maps]).toEqual([]);
  });

  it('says what type it has, everywhere', () => {
    const isFine = ({ schema }: Place) =>
      typesOf(schema).length > 0 ||
      isNamed({ path: [], schema }) ||
      [schema.allOf, schema.oneOf, schema.anyOf].some((parts) => parts !== undefined);
    expect(faults(requested, (place) => place.path.length === 0 || isFine(place))).toEqual([]);
  });

  it('is nothing but what is named wherever it is an object', () => {
    const isFine = ({ schema }: Place) =>
      schema.additionalProperties !== undefined || schema.unevaluatedProperties === false;
    const objects = requested.filter(is('object')).filter(({ schema }) => schema.properties !== undefined);
    expect(faults(objects, isFine)).toEqual([]);
  });
});

it('what a resource is found by is in one place, whatever the method', () => {
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
  it('that may need more than 31 bits say so', () => {
    const isFine = ({ schema: { format, minimum = -Infinity, maximum = Infinity } }: Place) =>
      format === 'int64' || format === 'int32' || (maximum < 2 ** 31 && minimum >= -(2 ** 31));
    const integers = written.filter(is('integer'));
    expect(faults(integers, (place) => isNamed(place) || isFine(place))).toEqual([]);
  });
});

/** Every field of an object, as it is written and with what a reference adds. */
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

/** Whether the description says more than the name of the field and of what it belongs to. */
function saysSomething(description: string, ...names: string[]): boolean {
  const known = new Set([...noise, ...names.flatMap((name) => wordsOf(name.replace(/([A-Z])/g, ' $1')))]);
  return wordsOf(description).some((word) => !known.has(word));
}

describe('descriptions', () => {
  it('are there for every field, and say more than its name', () => {
    const isFine = ({ schema: { description }, name, at }: (typeof fields)[number]) =>
      description !== undefined &&
      description.trimEnd().endsWith('.') &&
      saysSomething(description, name, ...at.split('/'));
    expect(fields.filter((field) => !isFine(field)).map(({ at }) => at)).toEqual([]);
  });

  it('are there for every parameter', () => {
    const silent = operations.flatMap(({ id, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${id} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('say what `null` means wherever it may be', () => {
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

/** Every example of a page, with where it is. */
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

  it('of pages have the cursor that leads on from their last entry', () => {
    for (const { at, example } of pages) {
      const key = Buffer.from(example.next_cursor ?? '', 'base64url').toString();
      const values = Object.values(example.data.at(-1) ?? {});
      // Where it takes several values to tell entries apart, they stand one after the other.
      const isOfLast = values.includes(key) || key.split(' ').every((part) => values.includes(part));
      expect({ at, key, isOfLast }).toEqual({ at, key, isOfLast: true });
    }
  });
});

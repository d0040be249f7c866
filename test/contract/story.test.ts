// The examples of the contracts share one story: the same license, host, server, player and shop throughout.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { contract, enumOf, errorsOfEvent, root } from '../support/contract.ts';

/** Texts of a field. */
type Names = Record<string, string[]>;

interface Thing {
  id: string;
  /** Fields that hold its ID. */
  fields?: string[];
  /** Schemas whose example has its ID as `id`. */
  schemas?: string[];
  /** Fields beside its ID in any field, with the texts that they have. */
  names?: Names;
  /** The same for fields beside its ID as `id`. */
  own_names?: Names;
}

const { values, hosts, ...things } = parse(readFileSync(join(root, 'openapi/story.yaml'), 'utf8')) as Record<
  string,
  Thing
> & { values: Names; hosts: string[] };
const named = Object.entries(things as Record<string, Thing>);
const allThings = named.map(([, thing]) => thing);
const nameOf = new Map(named.map(([name, { id }]) => [id, name]));

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** IDs wherever they stand in a text. */
const ids = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|7656\d{13})\b/g;

/** Names of hosts; a dot in the name of a file or of a setting begins no domain of these. */
const domains = /\b(?:[a-z0-9-]+\.)+(?:com|example|gg|invalid|io|net|org|test)\b/g;
const emails = /[\w.+-]+@[a-z0-9.-]+\w/g;

const documents = ['platform.openapi', 'agent-bus.asyncapi', 'console.asyncapi', 'workflows.arazzo'].map(
  (name) => JSON.parse(readFileSync(join(root, `generated/${name}.json`), 'utf8')) as object,
);

/** An object within an example: its texts, by field. */
interface ExampleRecord {
  place: string;
  texts: [field: string, text: string][];
}

/** Every object in an example. Those in texts count as well: lines of JSON, server-sent events, and rows of CSV. */
function recordsOf(value: unknown, place: string, field: string): ExampleRecord[] {
  const texts: [string, string][] = [];
  const within: ExampleRecord[] = [];
  /** Entries of lists belong to the list's field, in the singular. */
  const visit = (item: unknown, name: string, at: string): void => {
    if (typeof item === 'string') {
      texts.push([name, item]);
      embeddedIn(item).forEach((object) => within.push(...recordsOf(object, at, name)));
    } else if (Array.isArray(item))
      item.forEach((entry, index) => {
        visit(entry, name.replace(/_ids$/, '_id'), `${at}/${index}`);
      });
    else if (typeof item === 'object' && item !== null) within.push(...recordsOf(item, at, name));
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) visit(value, field, place);
  else
    Object.entries(value).forEach(([name, item]) => {
      visit(item, name, `${place}/${name}`);
    });
  return [{ place, texts }, ...within];
}

/** The objects that a text holds. */
function embeddedIn(text: string): object[] {
  const lines = text.trimEnd().split('\n');
  if (lines.every((line) => line.startsWith('{"'))) return lines.map((line) => JSON.parse(line) as object);
  if (/^data: \{/m.test(text))
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as object);
  const [header = '', ...rows] = lines;
  if (!/^\w+(?:,\w+)+$/.test(header)) return [];
  const fields = header.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [fields[index], cell])));
}

/** Every example at any depth of a document, in its records. */
function examplesOf(node: unknown, place: string, name: string): ExampleRecord[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => examplesOf(item, `${place}/${index}`, name));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const here = `${place}/${key}`;
    if (key === 'example') return recordsOf(value, here, (node as { name?: string }).name ?? name);
    if (key === 'examples' && Array.isArray(value))
      return value.flatMap((item) => recordsOf(item, here, name));
    if (key === 'examples')
      return Object.values(value as object).flatMap((item: { value?: unknown }) =>
        recordsOf(item.value, here, name),
      );
    return examplesOf(value, here, key);
  });
}

const records = documents.flatMap((document) => examplesOf(document, '', ''));
const leaves = records.flatMap(({ place, texts }) =>
  texts.map(([field, value]) => ({ place: `${place}/${field}`, field, value })),
);

/** Every text of a value, also those that are no examples. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const textsIn = new Set(documents.flatMap(textsOf).map((text) => text.replaceAll('%40', '@')));
const kinds = (names: Names | undefined) => Object.entries(names ?? {});

it('reads the objects that stand in texts', () => {
  expect(embeddedIn('{"a":"b"}')).toEqual([{ a: 'b' }]);
  expect(embeddedIn('id: 1\ndata: {"a":"b"}\n\nid: 2\ndata: {"a":"c"}\n')).toEqual([{ a: 'b' }, { a: 'c' }]);
  expect(embeddedIn('a,b\n1,2\n3,4\n')).toEqual([
    { a: '1', b: '2' },
    { a: '3', b: '4' },
  ]);
});

it('gives each thing one ID, which belongs to nothing else', () => {
  expect(new Set(allThings.map(({ id }) => id)).size).toBe(allThings.length);
});

it('has every ID of the examples, also of those within texts', () => {
  const unknown = leaves.flatMap(({ place, field, value }) =>
    [...value.matchAll(ids)]
      .map(([id]) => id)
      .filter((id) => !nameOf.has(id) && values[field]?.includes(id) !== true)
      .map((id) => `${place}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

it('uses the ID of the same thing wherever a field names it', () => {
  const expected = new Map<string, string[]>();
  for (const { id, fields = [] } of allThings)
    for (const field of fields) expected.set(field, [...(expected.get(field) ?? []), id]);
  const wrong = leaves.filter(
    ({ field, value }) => uuid.test(value) && field !== 'id' && expected.get(field)?.includes(value) !== true,
  );
  expect(
    wrong
      .filter(({ field }) => expected.has(field) || field.endsWith('_id'))
      .map(({ place, value }) => `${place}: ${nameOf.get(value) ?? value}`),
  ).toEqual([]);
});

it('names things by the same values throughout', () => {
  const ofThings = allThings.flatMap(({ names, own_names: own }) => [...kinds(names), ...kinds(own)]);
  const wrong = leaves.filter(
    ({ field, value }) =>
      values[field]?.includes(value) === false &&
      !isPathOfRequest(field, value) &&
      !ofThings.some(([name, texts]) => name === field && texts.includes(value)),
  );
  expect([...new Set(wrong.map(({ place, value }) => `${place}: ${value}`))]).toEqual([]);
});

/** The `instance` of a problem; the IDs in it are those of the story. */
const isPathOfRequest = (field: string, value: string) => field === 'instance' && value.startsWith('/');

it('has the names of a thing beside its ID', () => {
  const byId = new Map(allThings.map((thing) => [thing.id, thing]));
  const wrong = records.flatMap(({ place, texts }) => {
    const expected = texts.flatMap(([field, id]) => {
      const { fields = [], names, own_names: own } = byId.get(id) ?? {};
      if (field === 'id') return [...kinds(own), ...kinds(names)];
      return fields.includes(field) ? kinds(names) : [];
    });
    return expected.flatMap(([field, known]) =>
      texts
        .filter(([name, text]) => name === field && !known.includes(text))
        .filter(([, text]) => !expected.some(([name, others]) => name === field && others.includes(text)))
        .map(([, text]) => `${place}/${field}: ${text}, not ${known.join(' or ')}`),
    );
  });
  expect(wrong).toEqual([]);
});

it('names no other thing of its kind beside an ID', () => {
  const textsOfThing = ({ id, names, own_names: own }: Thing) => [
    id,
    ...[...kinds(names), ...kinds(own)].flatMap(([, texts]) => texts),
  ];
  const mentions = (text: string, name: string) =>
    new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(text);
  const others = (thing: Thing) => {
    const own = textsOfThing(thing);
    return allThings
      .filter((other) => other !== thing && other.fields?.some((field) => thing.fields?.includes(field)))
      .flatMap(textsOfThing)
      .filter((name) => !own.includes(name));
  };
  const rivals = allThings
    .map((thing) => ({ thing, names: others(thing) }))
    .filter(({ names }) => names.length > 0);
  const wrong = records.flatMap(({ place, texts }) =>
    rivals
      .filter(({ thing }) => texts.some(([, text]) => mentions(text, thing.id)))
      .flatMap(({ thing, names }) =>
        names
          .filter((name) => texts.some(([, text]) => mentions(text, name)))
          .map((name) => `${place}: ${name} beside ${nameOf.get(thing.id) ?? ''}`),
      ),
  );
  expect(wrong).toEqual([]);
});

it('names only hosts and addresses of the story', () => {
  const known = new Set(hosts);
  const addresses = new Set([...textsOf(values), ...allThings.flatMap((thing) => textsOf(thing))]);
  const unknown = [...textsIn].flatMap((text) => [
    ...[...text.replaceAll(emails, '').matchAll(domains)]
      .map(([host]) => host)
      .filter((host) => !known.has(host)),
    ...[...text.matchAll(emails)].map(([address]) => address).filter((address) => !addresses.has(address)),
  ]);
  expect([...new Set(unknown)]).toEqual([]);
});

it('names no other host in guides and programs', () => {
  const files = globSync(
    // Not the plugin: catalogs have its checksum, so that each change of it needs a migration.
    ['{docs,agent,cli,client,sdks}/**/*.{md,yaml,cs}', 'README.md', 'compose.yaml'],
    { cwd: root, exclude: ['**/node_modules/**', '**/generated/**', '**/Generated/**'] },
  );
  const known = new Set(hosts);
  const unknown = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8')
        .replaceAll(emails, '')
        .matchAll(/\b(?:[a-z0-9-]+\.)+example\.(?:com|net|org)\b/g),
    ]
      .map(([host]) => host)
      .filter((host) => !known.has(host))
      .map((host) => `${file}: ${host}`),
  );
  expect(unknown).toEqual([]);
});

it('has valid events where an example holds one as text', () => {
  const types = new Set(enumOf('EventType'));
  const events = leaves.flatMap(({ place, value }) =>
    embeddedIn(value)
      .filter((object): object is { type: string } => types.has((object as { type?: string }).type ?? ''))
      .map((event) => ({ place, event })),
  );
  expect(events.map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('/api/events/stream/get'),
      expect.stringContaining('/deliveries/{webhook_delivery_id}/get'),
    ]),
  );
  const faults = events.flatMap(({ place, event }) =>
    errorsOfEvent(event).map((fault) => `${place}: ${JSON.stringify(fault)}`),
  );
  expect(faults).toEqual([]);
});

it('has secrets of webhooks as the platform makes them', () => {
  const secrets = leaves.filter(({ field, value }) => field === 'secret' && value.startsWith('whsec_'));
  expect(secrets.length).toBeGreaterThan(2);
  const wrong = secrets.filter(({ value }) => {
    const encoded = value.slice('whsec_'.length);
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.byteLength !== 32 || bytes.toString('base64') !== encoded;
  });
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

it('has the ID of each schema in its example', () => {
  const wrong = named.flatMap(([name, { id, schemas = [] }]) =>
    schemas.flatMap((schema) => {
      const example = contract.components.schemas[schema]?.example as { id?: string } | undefined;
      return example?.id === id ? [] : [`${name}: ${schema} has ${String(example?.id)}`];
    }),
  );
  expect(wrong).toEqual([]);
});

// Reads the catalogue of events, and makes the contract's schemas and webhooks and the types of the program from it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

type Item = Record<string, unknown>;

interface Field {
  name: string;
  isNullable: boolean;
  schema: Item;
  example: unknown;
}

export interface EventEntry {
  type: string;
  area: string;
  areaTitle: string;
  permission: string;
  subject: string;
  summary: string;
  sentence: string;
  fields: Field[];
  example: Item;
}

interface DeclaredEvent {
  subject?: string;
  summary: string;
  sentence: string;
  data: string[];
  example?: Item;
}

interface DeclaredArea {
  title: string;
  permission: string;
  subject: string;
  events: Record<string, DeclaredEvent>;
}

interface Declared {
  subjects: Record<string, { text: string; example: string }>;
  fields: Record<string, Item>;
  areas: Record<string, DeclaredArea>;
}

const file = resolve(import.meta.dirname, '../openapi/events.yaml');

export const readEvents = (): { declared: Declared; entries: EventEntry[] } => {
  const declared = parse(readFileSync(file, 'utf8'), { merge: true }) as Declared;
  const entries = Object.entries(declared.areas).flatMap(([area, { title, permission, subject, events }]) =>
    Object.entries(events).map(([type, event]): EventEntry => {
      const fields = event.data.map((text) => fieldOf(text, type, declared.fields));
      const own = event.subject ?? subject;
      if (declared.subjects[own] === undefined) throw new Error(`${type} has the unknown subject ${own}`);
      return {
        type,
        area,
        areaTitle: title,
        permission,
        subject: own,
        summary: event.summary,
        sentence: event.sentence,
        fields,
        example: {
          ...Object.fromEntries(fields.map(({ name, example }) => [name, example])),
          ...event.example,
        },
      };
    }),
  );
  const used = new Set(entries.flatMap(({ fields }) => fields.map(({ schema }) => schema)));
  const unused = Object.keys(declared.fields).filter((name) => !used.has(declared.fields[name] ?? {}));
  if (unused.length > 0) throw new Error(`no event has the fields ${unused.join(', ')}`);
  const nullable = new Set(
    entries.flatMap(({ fields }) => fields.flatMap(({ schema, isNullable }) => (isNullable ? [schema] : []))),
  );
  const neverNull = Object.entries(declared.fields).filter(
    ([, schema]) => schema['null_if'] !== undefined && !nullable.has(schema),
  );
  if (neverNull.length > 0)
    throw new Error(`never null, but with null_if: ${neverNull.map(([name]) => name).join(', ')}`);
  return { declared, entries };
};

function fieldOf(text: string, type: string, fields: Declared['fields']): Field {
  const [, name = '', described = name, mark] = /^(\w+)(?:=(\w+))?(\?)?$/.exec(text) ?? [];
  const schema = fields[described];
  if (schema === undefined) throw new Error(`${type} has the unknown field ${text}`);
  if (mark === '?' && schema['null_if'] === undefined)
    throw new Error(`${described} needs null_if, because ${type} may have it as null`);
  return { name, isNullable: mark === '?', schema, example: schema['example'] };
}

export const pascal = (text: string) =>
  text.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

export const patternsOf = (entries: readonly EventEntry[]): string[] => [
  '*',
  ...new Set(entries.map(({ type }) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...entries.map(({ type }) => type),
];

/** The schemas of the assembled contract that the catalogue fills: schemas/event-types.yaml. */
export function eventSchemas(): Record<string, Item> {
  const { entries } = readEvents();
  const schemas: Record<string, Item> = {
    EventType: {
      type: 'string',
      enum: entries.map(({ type }) => type),
      description:
        'A type of event; the properties of `EventData` describe each. New types are added without notice; ignore those that you do not know.',
      example: 'order.paid',
    },
    EventPattern: {
      type: 'string',
      enum: patternsOf(entries),
      description:
        'A type of event, all types of an area (`order.*`), or all types (`*`). A pattern includes types that are added later.',
      example: 'order.*',
    },
  };
  const shapes = new Map<string, string>();
  const shared = sharedFields(entries);
  const properties: Record<string, Item> = {};
  for (const entry of entries) {
    const key = JSON.stringify(entry.fields);
    const known = shapes.get(key);
    const name = known ?? `${pascal(entry.type)}Data`;
    const reference = { $ref: `#/${name}` };
    shapes.set(key, name);
    if (known === undefined) schemas[name] = dataSchema(entry, shared);
    properties[entry.type] =
      known === undefined ? reference : { allOf: [reference], description: `${entry.summary}.` };
  }
  for (const [schema, name] of shared) schemas[name] = JSON.parse(schema) as Item;
  schemas['EventData'] = {
    type: 'object',
    description: 'The `data` of each type of event, by type.',
    properties,
  };
  return schemas;
}

/** Fewer uses are not worth a schema. */
const minSharedUses = 5;

/** Names of the schemas of fields that many events have, by the schema. */
function sharedFields(entries: readonly EventEntry[]): Map<string, string> {
  const uses = new Map<string, { name: string; count: number }>();
  for (const field of entries.flatMap(({ fields }) => fields)) {
    if (field.schema['$ref'] !== undefined) continue;
    const key = JSON.stringify(propertyOf(field));
    const { count } = uses.get(key) ?? { count: 0 };
    const name = `Event${pascal(field.name)}${field.isNullable ? 'OrNull' : ''}`;
    uses.set(key, { name, count: count + 1 });
  }
  const named = new Set<string>();
  return new Map(
    [...uses].flatMap(([key, { name, count }]) => {
      if (count < minSharedUses || named.has(name)) return [];
      named.add(name);
      return [[key, name]];
    }),
  );
}

function dataSchema({ fields, summary, example }: EventEntry, shared: ReadonlyMap<string, string>): Item {
  const fieldSchema = (field: Field): Item => {
    const schema = propertyOf(field);
    const name = shared.get(JSON.stringify(schema));
    return name === undefined ? schema : { $ref: `#/${name}` };
  };
  return {
    type: 'object',
    'x-keeps-example': true,
    description: `${summary}.`,
    example,
    required: fields.map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

function propertyOf({ schema, isNullable }: Field): Item {
  const { example: _, null_if: nullIf, ...rest } = schema;
  if (rest['type'] === 'integer') rest['format'] = 'int64';
  if (!isNullable) return rest;
  const description = String(rest['description']).replace(/\.$/, '');
  return {
    ...rest,
    type: [rest['type'], 'null'],
    description: `${description}; \`null\` if ${String(nullIf)}.`,
  };
}

/** generated/events.ts: the catalogue at run time, and the data of each type. */
export function eventModule(): string {
  const { entries } = readEvents();
  const catalogue = Object.fromEntries(
    entries.map(({ type, area, permission, subject, summary, sentence, example }) => [
      type,
      { area, permission, subject, summary, sentence, example },
    ]),
  );
  const types = entries
    .map(({ type, fields }) => {
      const body = fields.map(
        (field) => `    ${field.name}: ${typeOf(field.schema)}${field.isNullable ? ' | null' : ''};`,
      );
      return `  '${type}': {\n${body.join('\n')}\n  };`;
    })
    .join('\n');
  return `// Generated from openapi/events.yaml; edit the catalogue instead.

/** The types of events, with what is said about each. */
export const eventCatalogue = ${JSON.stringify(catalogue, null, 2)} as const;

export type EventType = keyof typeof eventCatalogue;

/** The data of each type. */
export interface EventData {
${types}
}
`;
}

function typeOf(schema: Item): string {
  if ('$ref' in schema) return '{ amount: string; currency: string }';
  if (schema['type'] === 'array') return `readonly ${typeOf(schema['items'] as Item)}[]`;
  if (schema['type'] === 'object') {
    const properties = schema['properties'] as Record<string, Item> | undefined;
    if (properties === undefined) return 'Record<string, unknown>';
    return `{ ${Object.entries(properties)
      .map(([name, each]) => `${name}: ${typeOf(each)}`)
      .join('; ')} }`;
  }
  return schema['type'] === 'integer' ? 'number' : String(schema['type']);
}

/** The table of docs/events.md. */
function eventTable(): string {
  const { entries } = readEvents();
  const rows = entries.map(
    ({ type, permission, subject, summary }) =>
      [`\`${type}\``, summary, subject, `\`${permission}\``] as const,
  );
  const head = ['Type', 'What happened', 'Subject', 'Permission'] as const;
  const widths = head.map((name, index) =>
    Math.max(...[head, ...rows].map((row) => (row[index] ?? name).length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}

const tableMarks = /(<!-- types: [^\n]* -->\n\n)[\s\S]*?(\n\n<!-- end of types -->)/;

/** The guide with the current table between its marks. */
export const withEventTable = (guide: string): string =>
  guide.replace(tableMarks, (_, begin: string, end: string) => `${begin}${eventTable()}${end}`);

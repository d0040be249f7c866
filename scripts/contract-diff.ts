// Compares two published contracts for the API changelog: what callers can do now, and what they no longer can.
import { isDeepStrictEqual } from 'node:util';
import {
  nameIn,
  operationsIn,
  resolved,
  type FoundOperation,
  type MediaType,
  type OperationObject as SharedOperationObject,
  type Parameter,
  type RequestBody,
  type Response,
} from '../shared/openapi/document.ts';
import { conditionsIn } from '../shared/openapi/problem-conditions.ts';
import type { Schema } from '../shared/openapi/schema.ts';

export interface ContractChanges {
  added: string[];
  changed: string[];
  deprecated: string[];
  removed: string[];
}

interface Contract {
  components?: { schemas?: Record<string, Schema> };
  webhooks?: object;
}

interface OperationObject extends SharedOperationObject {
  'x-sunset'?: string;
  'x-successor'?: string;
}

type Found = FoundOperation<OperationObject>;

/** The changes from one published contract to the next, in words, sorted. */
export function changesBetween(before: object, after: object): ContractChanges {
  const comparison = new Comparison(before, after);
  return comparison.changes();
}

/** Keywords whose changes are listed, in this order. */
const limits = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
] as const;

class Comparison {
  readonly #before: Contract;
  readonly #after: Contract;
  readonly #changes: ContractChanges = { added: [], changed: [], deprecated: [], removed: [] };

  constructor(before: Contract, after: Contract) {
    this.#before = before;
    this.#after = after;
  }

  changes(): ContractChanges {
    this.#operations();
    this.#schemas();
    this.#names('webhook', Object.keys(this.#before.webhooks ?? {}), Object.keys(this.#after.webhooks ?? {}));
    const { added, changed, deprecated, removed } = this.#changes;
    const sorted = (list: string[]) => joined([...new Set(list)]).sort();
    return {
      added: sorted(added),
      changed: sorted(changed),
      deprecated: sorted(deprecated),
      removed: sorted(removed),
    };
  }

  #operations(): void {
    const [old, now] = [operationsOf(this.#before), operationsOf(this.#after)];
    for (const [place, { operation }] of old)
      if (!now.has(place)) this.#changes.removed.push(labelOf(place, operation));
    for (const [place, { operation }] of now) {
      const previous = old.get(place)?.operation;
      const label = labelOf(place, operation);
      if (previous === undefined) this.#changes.added.push(label);
      else this.#operation(label, previous, operation);
    }
  }

  #operation(label: string, before: Found['operation'], after: Found['operation']): void {
    const { changed, deprecated } = this.#changes;
    if (before.operationId !== after.operationId)
      changed.push(`${label} was named \`${before.operationId ?? ''}\``);
    if (after.deprecated === true && before.deprecated !== true)
      deprecated.push(`${label}, until ${String(after['x-sunset'])}${insteadOf(after)}`);
    const [needed, needs] = [accessOf(before), accessOf(after)];
    if (needed !== needs) changed.push(`${label} needs ${needs} instead of ${needed}`);
    this.#parameters(label, before.parameters, after.parameters);
    this.#body(label, before, after);
    this.#responses(label, before, after);
  }

  /** Those of the path are part of the path. */
  #parameters(label: string, before: readonly Parameter[], after: readonly Parameter[]): void {
    const named = (list: readonly Parameter[]) =>
      new Map(
        list
          .filter((each) => each.in !== 'path')
          .map((each) => [`${each.in} parameter \`${each.name}\``, each]),
      );
    const [old, now] = [named(before), named(after)];
    for (const name of old.keys()) if (!now.has(name)) this.#changes.removed.push(`${label}: the ${name}`);
    for (const [name, parameter] of now) {
      const previous = old.get(name);
      if (previous === undefined) {
        this.#changes.added.push(`${label}: the ${name}`);
        continue;
      }
      if (parameter.required === true && previous.required !== true)
        this.#changes.changed.push(`${label}: the ${name} is required`);
      this.#schema(`${label}: the ${name}`, previous.schema, parameter.schema);
    }
  }

  #body(label: string, before: Found['operation'], after: Found['operation']): void {
    const old = resolved<RequestBody>(this.#before, before.requestBody ?? {});
    const now = resolved<RequestBody>(this.#after, after.requestBody ?? {});
    if (now.required === true && old.required !== true)
      this.#changes.changed.push(`${label}: the body is required`);
    this.#content(`${label}: the body`, old.content, now.content);
  }

  #responses(label: string, before: Found['operation'], after: Found['operation']): void {
    for (const status of Object.keys(before.responses))
      if (after.responses[status] === undefined) this.#changes.removed.push(`${label}: the status ${status}`);
    for (const [status, given] of Object.entries(after.responses)) {
      const known = before.responses[status];
      if (known === undefined) {
        this.#changes.added.push(`${label}: the status ${status}`);
        continue;
      }
      const old = resolved<Response>(this.#before, known);
      const now = resolved<Response>(this.#after, given);
      this.#names(`${label}: the problem`, codesIn(old), codesIn(now));
      this.#names(`${label}: the header`, Object.keys(old.headers ?? {}), Object.keys(now.headers ?? {}));
      this.#content(`${label}: the response ${status}`, old.content, now.content);
    }
  }

  #content(label: string, before: Content = {}, after: Content = {}): void {
    this.#names(`${label} as`, Object.keys(before), Object.keys(after));
    for (const [type, { schema }] of Object.entries(after)) this.#schema(label, before[type]?.schema, schema);
  }

  #names(what: string, before: readonly string[], after: readonly string[]): void {
    for (const name of after) if (!before.includes(name)) this.#changes.added.push(`${what} \`${name}\``);
    for (const name of before) if (!after.includes(name)) this.#changes.removed.push(`${what} \`${name}\``);
  }

  /** New ones are not listed: what uses them is. */
  #schemas(): void {
    const [old, now] = [this.#before, this.#after].map(({ components }) => components?.schemas ?? {});
    for (const name of Object.keys(old ?? {}))
      if (now?.[name] === undefined) this.#changes.removed.push(`schema \`${name}\``);
    for (const [name, schema] of Object.entries(now ?? {})) this.#schema(`\`${name}\``, old?.[name], schema);
  }

  /** Compares what both have. A label in backticks names a place, which fields below it extend. */
  #schema(label: string, before: Schema | undefined, after: Schema | undefined): void {
    if (before === undefined || after === undefined) return;
    if (nameIn(before) !== nameIn(after) && this.#areAlike(before, after)) return;
    const { changed, added, removed, deprecated } = this.#changes;
    const [type, former] = [typeTextOf(after), typeTextOf(before)];
    if (type !== former) changed.push(`${label} is ${type} instead of ${former}`);
    if (isDeprecated(after) && !isDeprecated(before)) deprecated.push(label);
    for (const keyword of limits) {
      const [old, now] = [before[keyword as keyof Schema], after[keyword as keyof Schema]].map((value) =>
        value === undefined ? undefined : JSON.stringify(value),
      );
      if (old !== now) changed.push(`${label} has ${limitText(keyword, old, now)}`);
    }
    const [had, has] = [valuesOf(before), valuesOf(after)];
    for (const value of has)
      if (had.size > 0 && !had.has(value)) added.push(`${label}: the value \`${value}\``);
    for (const value of had)
      if (has.size > 0 && !has.has(value)) removed.push(`${label}: the value \`${value}\``);
    if (before.additionalProperties !== false && after.additionalProperties === false)
      changed.push(`${label} accepts no further fields`);
    this.#fields(label, before, after);
    this.#schema(below(label, '[]'), before.items, after.items);
    if (typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object')
      this.#schema(below(label, '[*]'), before.additionalProperties, after.additionalProperties);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const)
      this.#alternatives(label, keyword, before, after);
  }

  /** Whether callers see no difference: the same schema by another name, or by a name instead of in place. */
  #areAlike(before: Schema, after: Schema): boolean {
    const inPlace = (document: Contract, { $ref, ...beside }: Schema) =>
      withoutTexts({ ...($ref !== undefined && resolved<Schema>(document, { $ref })), ...beside });
    return isDeepStrictEqual(inPlace(this.#before, before), inPlace(this.#after, after));
  }

  #fields(label: string, before: Schema, after: Schema): void {
    const { added, removed, changed } = this.#changes;
    const [old, now] = [before.properties ?? {}, after.properties ?? {}];
    const [needed, needs] = [new Set(before.required), new Set(after.required)];
    // Requests are closed, replies are open.
    const isClosed = after.additionalProperties === false;
    for (const name of Object.keys(old)) if (now[name] === undefined) removed.push(below(label, `.${name}`));
    for (const [name, field] of Object.entries(now)) {
      const place = below(label, `.${name}`);
      if (old[name] === undefined) {
        added.push(isClosed && needs.has(name) ? `${place} (required)` : place);
        continue;
      }
      if (needs.has(name) && !needed.has(name))
        changed.push(`${place} is ${isClosed ? 'required' : 'always present'}`);
      if (needed.has(name) && !needs.has(name)) changed.push(`${place} is optional`);
      this.#schema(place, old[name], field);
    }
  }

  /** Named alternatives come and go; those written in place are compared in their order. */
  #alternatives(label: string, keyword: 'allOf' | 'oneOf' | 'anyOf', before: Schema, after: Schema): void {
    const [old, now] = [before[keyword] ?? [], after[keyword] ?? []];
    const names = (list: readonly Schema[]) => list.flatMap((each) => nameIn(each) ?? []);
    this.#names(`${label}: the ${keyword === 'allOf' ? 'part' : 'alternative'}`, names(old), names(now));
    const inPlace = (list: readonly Schema[]) => list.filter((each) => nameIn(each) === undefined);
    for (const [index, each] of inPlace(now).entries()) this.#schema(label, inPlace(old)[index], each);
  }
}

/** Operations that have the same change, such as that of a shared parameter, in one text if there are several. */
function joined(texts: readonly string[]): string[] {
  const parts = texts.map((text) => {
    const [, id, change] = /^`[A-Z]+ [^`]+` \(`(\w+)`\): (.*)$/.exec(text) ?? [];
    return { text, id, change };
  });
  return Map.groupBy(parts, ({ text, change }) => change ?? text)
    .entries()
    .flatMap(([change, same]) =>
      same.length < joinedFrom
        ? same.map(({ text }) => text)
        : [`${same.map(({ id }) => `\`${id}\``).join(', ')}: ${change}`],
    )
    .toArray();
}

const joinedFrom = 4;

type Content = Record<string, MediaType>;

const operationsOf = (document: Contract): Map<string, Found> =>
  new Map(
    operationsIn<OperationObject>(document).map((found) => [
      `${found.method.toUpperCase()} ${found.path}`,
      found,
    ]),
  );

const labelOf = (place: string, { operationId = '' }: Found['operation']) =>
  `\`${place}\` (\`${operationId}\`)`;

/** Each alternative: the scheme with its permissions. */
function accessOf({ security = [] }: Found['operation']): string {
  const alternatives = security.flatMap((requirement) =>
    Object.entries(requirement).map(([scheme, permissions]) =>
      permissions.length === 0
        ? `\`${scheme}\``
        : `\`${scheme}\` with ${[...permissions]
            .sort()
            .map((permission) => `\`${permission}\``)
            .join(' and ')}`,
    ),
  );
  return alternatives.length === 0 ? 'no credentials' : alternatives.sort().join(' or ');
}

const codesIn = (response: Response): string[] => conditionsIn(response).map(([code]) => code);

function typeTextOf(schema: Schema): string {
  const name = nameIn(schema);
  if (name !== undefined) return `\`${name}\``;
  const types = [schema.type ?? []].flat();
  return types.length === 0
    ? 'of any type'
    : types
        .toSorted()
        .map((type) => `\`${type}\``)
        .join(' or ');
}

const limitText = (keyword: string, before: string | undefined, after: string | undefined): string =>
  after === undefined
    ? `no \`${keyword}\` (was ${before ?? ''})`
    : `\`${keyword}\` ${after}${before === undefined ? '' : ` instead of ${before}`}`;

const insteadOf = ({ 'x-successor': successor }: Found['operation']) =>
  successor === undefined ? '' : `: use \`${successor}\` instead`;

/** What describes a schema; as the name of a field, each of them is kept. */
const texts = ['title', 'description', 'example', 'examples'];

function withoutTexts(schema: Schema): object {
  const { properties, ...rest } = schema;
  const kept = Object.entries(rest).filter(([keyword]) => !texts.includes(keyword));
  return {
    ...Object.fromEntries(kept),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withoutTexts(field)]),
      ),
    }),
  };
}

const isDeprecated = (schema: Schema) => (schema as { deprecated?: boolean }).deprecated === true;

const valuesOf = (schema: Schema) =>
  new Set([...(schema.enum ?? []), ...(schema['x-extensible-enum'] ?? []), ...constOf(schema)].map(String));

const constOf = (schema: Schema): unknown[] => (schema.const === undefined ? [] : [schema.const]);

/** `Toy` and `.speed` make `Toy.speed`; a label in words is followed by the field. */
const below = (label: string, step: string): string =>
  /^`[^`]*`$/.test(label) ? `${label.slice(0, -1)}${step}\`` : `${label}: \`${step.replace(/^\./, '')}\``;

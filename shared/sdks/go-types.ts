// How Go names and types what the contract describes: for its SDK, and for the samples of the reference.
import type { Definition, Property, Value } from './definitions.ts';
import { brief, pascal } from './words.ts';

/** Words that Go writes in capitals. */
const initials = new Set(['id', 'url', 'uri', 'ip', 'api', 'http', 'json', 'csv', 'fps', 'totp', 'html']);

/** Names of the hand-written half; a type of the contract with one of them is called `SessionData`. */
const handWritten = new Set(
  'Client ConnectionError ContractVersion ErrEventCursorExpired ErrInvalidSignature File Form HTTPError Null Nullable Option Pages ProblemError Ptr Retries Session Some StreamedEvent Tokens Version'.split(
    ' ',
  ),
);

export const typeName = (name: string): string =>
  handWritten.has(goName(name)) ? `${goName(name)}Data` : goName(name);

export const goName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => (initials.has(word.toLowerCase()) ? word.toUpperCase() : pascal(word)))
    .join('')
    .replace(/^(?=[0-9])/, 'N');

export class Types {
  readonly #definitions: Map<string, Definition>;
  readonly #qualifier: string;

  /** Programs outside of the package qualify its types: `gantry.`. */
  constructor(definitions: Definition[], qualifier = '') {
    this.#definitions = new Map(definitions.map((definition) => [definition.name, definition]));
    this.#qualifier = qualifier;
  }

  /** The fields of the struct for a type of the contract; undefined for other types. */
  propertiesOf(name: string): Property[] | undefined {
    const definition = this.#definitions.get(name);
    if (definition?.kind === 'object') return definition.properties;
    return definition?.kind === 'union' ? this.#unionOf(definition) : undefined;
  }

  /** The type that an alias of the contract stands for; undefined for other types. */
  targetOf(name: string): Value | undefined {
    const definition = this.#definitions.get(name);
    return definition?.kind === 'alias' ? definition.value : undefined;
  }

  file(notice: string): string {
    const all = [...this.#definitions.values()].map((definition) => this.#definition(definition));
    return `${notice}\n\npackage gantry\n\nimport "encoding/json"\n\nvar _ json.RawMessage\n${all.join('')}`;
  }

  #definition(definition: Definition): string {
    const name = typeName(definition.name);
    const head = `\n${comment(definition.description, name)}`;
    switch (definition.kind) {
      case 'enum':
        return `${head}type ${name} = string\n\nconst (\n${definition.values.map((value) => `\t${name}${goName(value) || 'Empty'} ${name} = ${JSON.stringify(value)}\n`).join('')})\n`;
      case 'union':
        return `${head}// It holds the fields of all its variants; ${goName(definition.discriminator)} says which one it is.\ntype ${name} struct {\n${this.#fields(this.#unionOf(definition))}}\n`;
      case 'alias':
        return `${head}type ${name} = ${this.type(definition.value)}\n`;
      case 'object':
        return `${head}type ${name} struct {\n${this.#fields(definition.properties)}}\n`;
    }
  }

  #unionOf({ members }: Definition & { kind: 'union' }): Property[] {
    return unionOf([...new Set(Object.values(members))].map((member) => this.#definitions.get(member)));
  }

  #fields(properties: Property[]): string {
    return properties
      .map((property) => {
        const tag = property.isRequired ? property.name : `${property.name},omitempty`;
        return `${fieldComment(property.description)}\t${goName(property.name)} ${this.fieldType(property)} \`json:"${tag}"\`\n`;
      })
      .join('');
  }

  fieldType(property: Property): string {
    const type = this.type({ type: property.type, isNullable: false });
    if (isNilable(type))
      return property.isNullable && !property.isRequired && type !== 'any' ? `*Nullable[${type}]` : type;
    if (property.isRequired) return property.isNullable ? `*${type}` : type;
    return property.isNullable ? `*Nullable[${type}]` : `*${type}`;
  }

  type({ type, isNullable }: Value): string {
    const text = this.#plain(type);
    return isNullable && !isNilable(text) ? `*${text}` : text;
  }

  #plain(type: Value['type']): string {
    switch (type.kind) {
      case 'string':
        return 'string';
      case 'integer':
        return 'int64';
      case 'number':
        return 'float64';
      case 'boolean':
        return 'bool';
      case 'bytes':
        return '[]byte';
      case 'any':
        return 'any';
      case 'named':
        return `${this.#qualifier}${typeName(type.name)}`;
      case 'list':
        return `[]${this.type(type.of)}`;
      case 'map':
        return `map[string]${this.type(type.of)}`;
    }
  }
}

export const isNilable = (type: string): boolean =>
  type.startsWith('[]') || type.startsWith('map[') || type === 'any';

/** Every field of the variants, optional unless all have it. */
function unionOf(members: (Definition | undefined)[]): Property[] {
  const objects = members.filter((each) => each?.kind === 'object');
  const all = new Map<string, Property>();
  for (const { properties } of objects)
    for (const property of properties) {
      const former = all.get(property.name);
      const isEverywhere = objects.every((each) =>
        each.properties.some(({ name, isRequired }) => name === property.name && isRequired),
      );
      // Variants may type a field differently.
      const isSame = former === undefined || JSON.stringify(former.type) === JSON.stringify(property.type);
      all.set(property.name, {
        ...property,
        isRequired: isEverywhere,
        ...(isSame ? {} : { type: { kind: 'any' } }),
      });
    }
  return [...all.values()];
}

export function comment(text: string, name: string): string {
  const line = brief(text);
  return line === '' ? `// ${name} is a type of the platform.\n` : `// ${name}: ${line}\n`;
}

export const fieldComment = (text: string): string => (brief(text) === '' ? '' : `\t// ${brief(text)}\n`);

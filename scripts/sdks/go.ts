// Writes the generated half of the Go SDK: structs, constants of enums, and one method for each operation.
import {
  brief,
  pascal,
  type Definition,
  type Model,
  type OperationModel,
  type Parameter,
  type Property,
  type Value,
} from './model.ts';

const notice = '// Code generated from the contract by `npm run generate:sdks`. DO NOT EDIT.';

export function goFiles(model: Model): Record<string, string> {
  const types = new Types(model.definitions);
  return { 'models_gen.go': types.file(), 'operations_gen.go': operations(model, types) };
}

/** Words that Go writes in capitals. */
const initials = new Set(['id', 'url', 'uri', 'ip', 'api', 'http', 'json', 'csv', 'fps', 'totp', 'html']);

/** Names of the hand-written half; a type of the contract with one of them is called `SessionData`. */
const handWritten = new Set(
  'Client ConnectionError ContractVersion ErrEventCursorExpired ErrInvalidSignature File Form HTTPError Null Nullable Option Pages ProblemError Ptr Retries Session Some StreamedEvent Tokens Version'.split(
    ' ',
  ),
);

const typeName = (name: string): string =>
  handWritten.has(goName(name)) ? `${goName(name)}Data` : goName(name);

export const goName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => (initials.has(word.toLowerCase()) ? word.toUpperCase() : pascal(word)))
    .join('')
    .replace(/^(?=[0-9])/, 'N');

const localKeywords = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var ctx params body'.split(
    ' ',
  ),
);

const localName = (name: string): string => {
  const whole = goName(name);
  const lowered = whole.replace(/^[A-Z]+(?=[A-Z][a-z]|$|[0-9])|^[A-Z]/, (head) => head.toLowerCase());
  return localKeywords.has(lowered) ? `${lowered}Value` : lowered;
};

class Types {
  readonly #definitions: Map<string, Definition>;

  constructor(definitions: Definition[]) {
    this.#definitions = new Map(definitions.map((definition) => [definition.name, definition]));
  }

  file(): string {
    const all = [...this.#definitions.values()].map((definition) => this.#definition(definition));
    return `${notice}\n\npackage gantry\n\nimport "encoding/json"\n\nvar _ json.RawMessage\n${all.join('')}`;
  }

  #definition(definition: Definition): string {
    const name = typeName(definition.name);
    const head = `\n${comment(definition.description, name)}`;
    switch (definition.kind) {
      case 'enum':
        return `${head}type ${name} = string\n\nconst (\n${definition.values.map((value) => `\t${name}${goName(value) || 'Empty'} ${name} = ${JSON.stringify(value)}\n`).join('')})\n`;
      case 'union': {
        const members = [...new Set(Object.values(definition.members))].map((member) =>
          this.#definitions.get(member),
        );
        return `${head}// It holds the fields of all its variants; ${goName(definition.discriminator)} says which one it is.\ntype ${name} struct {\n${this.#fields(unionOf(members))}}\n`;
      }
      case 'alias':
        return `${head}type ${name} = ${this.type(definition.value)}\n`;
      case 'object':
        return `${head}type ${name} struct {\n${this.#fields(definition.properties)}}\n`;
    }
  }

  #fields(properties: Property[]): string {
    return properties
      .map((property) => {
        const tag = property.isRequired ? property.name : `${property.name},omitempty`;
        return `${fieldComment(property.description)}\t${goName(property.name)} ${this.#fieldType(property)} \`json:"${tag}"\`\n`;
      })
      .join('');
  }

  #fieldType(property: Property): string {
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
        return typeName(type.name);
      case 'list':
        return `[]${this.type(type.of)}`;
      case 'map':
        return `map[string]${this.type(type.of)}`;
    }
  }
}

const isNilable = (type: string): boolean =>
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

function operations({ operations: all, version }: Model, types: Types): string {
  const body = all.map((operation) => operationOf(operation, types)).join('');
  return `${notice}

package gantry

import (
	"context"
	"net/url"
)

// ContractVersion is the version of the contract that this package was generated from.
const ContractVersion = ${JSON.stringify(version)}
${body}`;
}

function operationOf(operation: OperationModel, types: Types): string {
  const { id, method, path, summary, description, parameters, body, result, isPublic, isIdempotent, entry } =
    operation;
  const name = goName(id);
  const inPath = parameters.filter(({ place }) => place === 'path');
  const others = parameters.filter(({ place }) => place !== 'path');
  const parametersType = others.length === 0 ? '' : `${name}Params`;
  const bodyType =
    body === undefined ? '' : body.contentType === 'multipart/form-data' ? 'Form' : types.type(body.value);
  const given = [
    'ctx context.Context',
    ...inPath.map((each) => `${localName(each.name)} ${types.type({ ...each, isNullable: false })}`),
    ...(body === undefined
      ? []
      : [`body ${body.isRequired || isNilable(bodyType) ? bodyType : `*${bodyType}`}`]),
    ...(parametersType === '' ? [] : [`params *${parametersType}`]),
  ].join(', ');
  const returned = result === undefined ? '' : types.type(result.value);
  const struct =
    parametersType === ''
      ? ''
      : `\n// ${parametersType} holds the optional parameters of ${name}.\ntype ${parametersType} struct {\n${others.map((each) => parameterField(each, types)).join('')}}\n`;
  const pathText = JSON.stringify(path)
    .replace(/\{(\w+)\}/g, (_, key: string) => `" + url.PathEscape(text(${localName(key)})) + "`)
    .replace(/ \+ ""$/, '');
  const settings = [
    `operation: ${JSON.stringify(id)}`,
    `method: ${JSON.stringify(method)}`,
    `path: ${pathText}`,
    ...(body === undefined
      ? []
      : [
          body.isRequired || isNilable(bodyType) ? 'body: body' : 'body: optional(body)',
          `contentType: ${JSON.stringify(body.contentType)}`,
        ]),
    ...(isPublic ? ['isPublic: true'] : []),
    ...(isIdempotent ? ['isIdempotent: true'] : []),
  ].join(', ');
  const setting = others
    .map(
      ({ name: wire, place }) =>
        `\t\tcall.${place === 'query' ? 'setQuery' : 'setHeader'}(${JSON.stringify(wire)}, params.${goName(wire)})\n`,
    )
    .join('');
  const prepared = `\tcall := call{${settings}}\n${setting === '' ? '' : `\tif params != nil {\n${setting}\t}\n`}`;
  const end =
    result === undefined
      ? '\treturn c.send(ctx, &call, nil)\n'
      : `\tvar result ${returned}\n\terr := c.send(ctx, &call, &result)\n\treturn result, err\n`;
  const pager = entry === undefined ? '' : pagerOf(operation, types, inPath, body !== undefined);
  return `${struct}
${comment(`${summary}. ${brief(description)}`, name)}func (c *Client) ${name}(${given}) ${result === undefined ? 'error' : `(${returned}, error)`} {
${prepared}${end}}
${pager}`;
}

/** A method that walks through every entry, for lists. */
function pagerOf(
  { id, entry, parameters }: OperationModel,
  types: Types,
  inPath: Parameter[],
  hasBody: boolean,
): string {
  if (entry === undefined || hasBody) return '';
  const name = goName(id);
  const type = types.type(entry);
  const given = inPath
    .map((each) => `, ${localName(each.name)} ${types.type({ ...each, isNullable: false })}`)
    .join('');
  const passed = inPath.map((each) => `, ${localName(each.name)}`).join('');
  const walker = `All${name.replace(/^List/, '')}`;
  const hasLimit = parameters.some((each) => each.name === 'limit');
  return `
// ${walker} returns every entry of ${name}, page by page.
func (c *Client) ${walker}(ctx context.Context${given}, params *${name}Params) *Pages[${type}] {
	query := ${name}Params{}
	if params != nil {
		query = *params
	}
${hasLimit ? '\tif query.Limit == nil {\n\t\tquery.Limit = Ptr(int64(100))\n\t}\n' : ''}	return newPages(func(cursor *string) ([]${type}, *string, error) {
		if cursor != nil {
			query.Cursor = cursor
		}
		page, err := c.${name}(ctx${passed}, &query)
		return page.Data, page.NextCursor, err
	})
}
`;
}

function parameterField(parameter: Parameter, types: Types): string {
  const type = types.type({ ...parameter, isNullable: false });
  return `${fieldComment(parameter.description)}\t${goName(parameter.name)} ${parameter.isRequired || isNilable(type) ? type : `*${type}`}\n`;
}

function comment(text: string, name: string): string {
  const line = brief(text);
  return line === '' ? `// ${name} is a type of the platform.\n` : `// ${name}: ${line}\n`;
}

const fieldComment = (text: string): string => (brief(text) === '' ? '' : `\t// ${brief(text)}\n`);

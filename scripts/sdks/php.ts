// Writes the generated half of the PHP SDK: array shapes of all types, and one method for each operation.
import type { Definition, Value } from '../../shared/sdks/definitions.ts';
import type { Model, OperationModel, Parameter } from '../../shared/sdks/model.ts';
import { quotedInPhp, variableOf } from '../../shared/sdks/php-names.ts';
import { brief } from '../../shared/sdks/words.ts';

const notice = '// Generated from the contract by `npm run generate:sdks`; edit the contract instead.';

export function phpFiles(model: Model): Record<string, string> {
  return { 'Types.php': types(model), 'Operations.php': operations(model) };
}

const head = (doc: string) =>
  `<?php\n\n${notice}\n\ndeclare(strict_types=1);\n\nnamespace Gantry\\Generated;\n\n${doc}`;

/** Arrays have no classes in PHP, so the shapes are aliases that PHPStan and editors read. */
function types({ definitions }: Model): string {
  const lines = definitions.map((definition) => ` * @phpstan-type ${definition.name} ${shapeOf(definition)}`);
  return head(
    `/**\n * The shapes of bodies and responses.\n *\n${lines.join('\n')}\n */\nfinal class Types\n{\n}\n`,
  );
}

function shapeOf(definition: Definition): string {
  switch (definition.kind) {
    case 'enum':
      return 'string';
    case 'union':
      return [...new Set(Object.values(definition.members))].join('|');
    case 'alias':
      return typeOf(definition.value);
    case 'object':
      if (definition.properties.length === 0) return 'array<string, mixed>';
      return `array{${definition.properties.map(({ name, isRequired, ...value }) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(value)}`).join(', ')}}`;
  }
}

function typeOf({ type, isNullable }: Value): string {
  const text = plainTypeOf(type);
  return isNullable && text !== 'mixed' ? `${text}|null` : text;
}

function plainTypeOf(type: Value['type']): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'mixed';
    case 'named':
      return type.name;
    case 'list':
      return `list<${typeOf(type.of)}>`;
    case 'map':
      return `array<string, ${typeOf(type.of)}>`;
  }
}

function operations({ operations: all, definitions, version }: Model): string {
  const kinds = new Map(definitions.map((definition) => [definition.name, definition]));
  const imports = definitions.map(({ name }) => ` * @phpstan-import-type ${name} from Types`);
  return head(
    `/**\n * Every operation of the platform; the client adds how requests are sent.\n *\n${imports.join('\n')}\n */\ntrait Operations\n{\n    public const CONTRACT_VERSION = ${quotedInPhp(version)};\n${all.map((operation) => methodOf(operation, kinds)).join('')}}\n`,
  );
}

/** The native type of a parameter; arrays and unknown values are described in the comment. */
function nativeOf({ type }: Value, kinds: ReadonlyMap<string, Definition>): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'list':
    case 'map':
      return 'array';
    case 'any':
      return 'mixed';
    case 'named': {
      const definition = kinds.get(type.name);
      if (definition?.kind === 'enum') return 'string';
      if (definition?.kind === 'alias') return nativeOf(definition.value, kinds);
      return 'array';
    }
  }
}

const nullable = (type: string) => (type === 'mixed' ? type : `?${type}`);

function methodOf(operation: OperationModel, kinds: ReadonlyMap<string, Definition>): string {
  const { id, method, path, summary, description, parameters, body, result, isPublic, isIdempotent } =
    operation;
  const variable = ({ name }: Parameter) => `$${variableOf(name)}`;
  const inPath = parameters.filter(({ place }) => place === 'path');
  const others = parameters
    .filter(({ place }) => place !== 'path')
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const bodyNative =
    body === undefined
      ? ''
      : body.contentType === 'multipart/form-data'
        ? 'array'
        : nativeOf(body.value, kinds);
  const given = [
    ...inPath.map((each) => ({ text: `${nativeOf(each, kinds)} ${variable(each)}`, isRequired: true })),
    ...(body === undefined
      ? []
      : [
          {
            text: body.isRequired ? `${bodyNative} $body` : `${nullable(bodyNative)} $body = null`,
            isRequired: body.isRequired,
          },
        ]),
    ...others.map((each) => ({
      text: each.isRequired
        ? `${nativeOf(each, kinds)} ${variable(each)}`
        : `${nullable(nativeOf(each, kinds))} ${variable(each)} = null`,
      isRequired: each.isRequired,
    })),
  ].toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const map = (place: Parameter['place'], argument: string) => {
    const own = parameters.filter((each) => each.place === place);
    return own.length === 0
      ? []
      : [`${argument}: [${own.map((each) => `${quotedInPhp(each.name)} => ${variable(each)}`).join(', ')}]`];
  };
  const passed = [
    quotedInPhp(method),
    quotedInPhp(path),
    ...map('path', 'path'),
    ...map('query', 'query'),
    ...map('header', 'headers'),
    ...(body === undefined ? [] : ['body: $body']),
    ...(body === undefined || body.contentType === 'application/json'
      ? []
      : [`contentType: ${quotedInPhp(body.contentType)}`]),
    ...(isPublic ? ['isPublic: true'] : []),
    ...(isIdempotent ? ['isIdempotent: true'] : []),
  ];
  const isJson = result !== undefined && /[/+]json$/.test(result.contentType);
  const native = result === undefined ? 'void' : isJson ? nativeOf(result.value, kinds) : 'string';
  const doc = [
    brief(`${summary}. ${brief(description)}`).replaceAll('*/', '* /'),
    ...(body === undefined || bodyNative !== 'array' || body.contentType === 'multipart/form-data'
      ? []
      : [`@param ${typeOf(body.value)}${body.isRequired ? '' : '|null'} $body`]),
    ...(native === 'array' && result !== undefined ? [`@return ${typeOf(result.value)}`] : []),
  ];
  const call = `$this->call(${passed.join(', ')})`;
  return `
    /**
${doc.map((line) => `     * ${line}`).join('\n')}
     */
    public function ${id}(${given.map(({ text }) => text).join(', ')}): ${native}
    {
        ${native === 'void' ? call : `return ${call}`};
    }
`;
}

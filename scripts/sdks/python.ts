// Writes the generated half of the Python SDK: types as TypedDict, and one method for each operation.
import type { Definition, Value } from '../../shared/sdks/definitions.ts';
import type { Model, OperationModel } from '../../shared/sdks/model.ts';
import { brief, snake } from '../../shared/sdks/words.ts';
import { keywords, safeName } from '../../shared/sdks/python-names.ts';

const notice = '# Generated from the contract by `npm run generate:sdks`; edit the contract instead.';

export function pythonFiles(model: Model): Record<string, string> {
  return { 'models.py': models(model), 'operations.py': operations(model) };
}

function models({ definitions }: Model): string {
  return [
    notice,
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    ...definitions.filter(({ kind }) => !isAlias(kind)).map(definitionOf),
    ...aliasesOf(definitions).map(definitionOf),
  ].join('\n');
}

const isAlias = (kind: Definition['kind']) => kind === 'alias' || kind === 'union';

/** Aliases are evaluated when the module is loaded: each stands after the types that it names. */
function aliasesOf(definitions: readonly Definition[]): Definition[] {
  const waiting = new Map(definitions.filter(({ kind }) => isAlias(kind)).map((each) => [each.name, each]));
  const ordered: Definition[] = [];
  const add = (name: string) => {
    const definition = waiting.get(name);
    if (definition === undefined) return;
    waiting.delete(name);
    for (const other of namesIn(definition)) add(other);
    ordered.push(definition);
  };
  for (const { name } of definitions) add(name);
  return ordered;
}

function namesIn(definition: Definition): string[] {
  if (definition.kind === 'union') return Object.values(definition.members);
  return definition.kind === 'alias' ? namesOf(definition.value) : [];
}

function namesOf({ type }: Value): string[] {
  if (type.kind === 'named') return [type.name];
  return type.kind === 'list' || type.kind === 'map' ? namesOf(type.of) : [];
}

function definitionOf(definition: Definition): string {
  const { name, description } = definition;
  switch (definition.kind) {
    case 'enum':
      return `\n${comment(description)}${name}: TypeAlias = Literal[\n${definition.values.map((value) => `    ${JSON.stringify(value)},\n`).join('')}]${definition.isOpen ? ' | str' : ''}\n`;
    case 'union':
      return `\n${comment(description)}${name}: TypeAlias = ${[...new Set(Object.values(definition.members))].join(' | ')}\n`;
    case 'alias':
      return `\n${comment(description)}${name}: TypeAlias = ${typeOf(definition.value)}\n`;
    case 'object': {
      const lines = definition.properties.map(({ name: key, isRequired, description: text, ...value }) => {
        const type = isRequired ? typeOf(value) : `NotRequired[${typeOf(value)}]`;
        return { key, type, text };
      });
      if (lines.some(({ key }) => keywords.has(key) || !/^[A-Za-z_]\w*$/.test(key)))
        return `\n${comment(description)}${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${lines.map(({ key, type }) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`).join('')}    },\n)\n`;
      const body = lines
        .map(({ key, type, text }) => `${comment(text, '    ')}    ${key}: ${type}\n`)
        .join('');
      return `\nclass ${name}(TypedDict):\n${docstring(description, '    ')}${body === '' ? '    pass\n' : body}`;
    }
  }
}

function typeOf({ type, isNullable }: Value, prefix = ''): string {
  const text = plainTypeOf(type, prefix);
  return isNullable && text !== 'Any' ? `${text} | None` : text;
}

function plainTypeOf(type: Value['type'], prefix: string): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'bytes':
      return 'bytes';
    case 'any':
      return 'Any';
    case 'named':
      return prefix + type.name;
    case 'list':
      return `list[${typeOf(type.of, prefix)}]`;
    case 'map':
      return `dict[str, ${typeOf(type.of, prefix)}]`;
  }
}

function operations({ operations: all, version }: Model): string {
  return [
    notice,
    'from __future__ import annotations',
    '',
    'from typing import Any',
    '',
    'from . import models as m',
    '',
    `CONTRACT_VERSION = ${JSON.stringify(version)}`,
    '',
    '',
    'class Operations:',
    '    """Every operation of the platform; `Client` adds how requests are sent."""',
    '',
    '    def _call(self, operation: str, method: str, path: str, **given: Any) -> Any:',
    '        raise NotImplementedError',
    '',
    ...all.map(methodOf),
  ].join('\n');
}

function methodOf(operation: OperationModel): string {
  const { id, method, path, summary, description, parameters, body, result, isPublic, isIdempotent } =
    operation;
  const names = new Map(parameters.map(({ name }) => [name, safeName(snake(name))]));
  const inPath = parameters.filter(({ place }) => place === 'path');
  const others = parameters.filter(({ place }) => place !== 'path');
  const bodyType =
    body === undefined
      ? ''
      : body.contentType === 'multipart/form-data'
        ? 'dict[str, Any]'
        : typeOf(body.value, 'm.');
  const positional = [
    ...inPath.map((each) => `${names.get(each.name)}: ${typeOf(each, 'm.')}`),
    ...(body === undefined
      ? []
      : [body.isRequired ? `body: ${bodyType}` : `body: ${bodyType} | None = None`]),
  ];
  const named = others.map(
    (each) =>
      `${names.get(each.name)}: ${typeOf(each, 'm.')}${each.isRequired ? '' : `${typeOf(each).endsWith('| None') ? '' : ' | None'} = None`}`,
  );
  const signature = ['self', ...positional, ...(named.length === 0 ? [] : ['*', ...named])].join(', ');
  const dictionary = (place: string) => {
    const own = parameters.filter((each) => each.place === place);
    return own.length === 0
      ? []
      : [
          `${place}_values={${own.map(({ name }) => `${JSON.stringify(name)}: ${names.get(name)}`).join(', ')}}`,
        ];
  };
  const given = [
    JSON.stringify(id),
    JSON.stringify(method),
    JSON.stringify(path),
    ...dictionary('path'),
    ...dictionary('query'),
    ...dictionary('header'),
    ...(body === undefined ? [] : ['body=body']),
    ...(body === undefined || body.contentType === 'application/json'
      ? []
      : [`content_type=${JSON.stringify(body.contentType)}`]),
    ...(isPublic ? ['public=True'] : []),
    ...(isIdempotent ? ['idempotent=True'] : []),
  ];
  const returns = result === undefined ? 'None' : typeOf(result.value, 'm.');
  return `    def ${safeName(snake(id))}(${signature}) -> ${returns}:
${docstring(`${summary}. ${brief(description)}`, '        ')}        return self._call(${given.join(', ')})
`;
}

const comment = (text: string, indent = ''): string => (text === '' ? '' : `${indent}# ${brief(text)}\n`);

function docstring(text: string, indent: string): string {
  const line = brief(text).replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return line === '' ? '' : `${indent}"""${line.endsWith('"') ? `${line} ` : line}"""\n`;
}

// Describes an operation for people: what it does, its options, and what it returns.
import { limitsOf } from '../../shared/openapi/limits.ts';
import { safe } from './output.ts';
import { curlOf, draftOf } from './request.ts';
import type { Contract, Field, Operation, Schema } from './contract.ts';
import { flagsOf, isBinary, isBoolean } from './values.ts';

const wrapAt = 100;

export function describe(contract: Contract, operation: Operation, server: string): string {
  const sections = [
    `${operation.id} · ${operation.summary}\n${operation.method} ${operation.path}`,
    wrapped(operation.description),
    `Permissions: ${permissionsOf(operation)}${operation.needsStepUp ? '\nStep-up: signed-in users confirm their identity first; API keys need not.' : ''}`,
    optionsOf(contract, operation),
    `Returns: ${operation.success.status}${operation.success.type === undefined ? '' : ` ${operation.success.type}`}${returned(contract, operation)}`,
    problemsOf(operation),
    `Example:\n  ${exampleOf(operation)}`,
    `As curl:\n  ${curlExample(operation, server).replaceAll('\n', '\n  ')}`,
  ];
  return `${safe(sections.filter(Boolean).join('\n\n'), true)}\n`;
}

export function permissionsOf({ security }: Operation): string {
  if (security.length === 0) return 'none; no sign-in either';
  return security
    .map((alternative) =>
      Object.entries(alternative)
        .map(([scheme, permissions]) =>
          permissions.length === 0 ? scheme : `${scheme} with ${permissions.join(' and ')}`,
        )
        .join(' and '),
    )
    .join(', or ');
}

/** The type in words: `string (uuid)`, `list of string`, `one of a, b`. */
export function typeOf(contract: Contract, schema: Schema): string {
  const resolved = contract.merged(schema);
  if (resolved.enum !== undefined) {
    const values = resolved.enum.map(String);
    return `one of ${values.slice(0, 12).join(', ')}${values.length > 12 ? `, … (${values.length})` : ''}`;
  }
  const types = [resolved.type ?? (resolved.properties === undefined ? 'any JSON' : 'object')].flat();
  const format = resolved.format === undefined ? '' : ` (${resolved.format})`;
  if (types.includes('array')) return `list of ${typeOf(contract, resolved.items ?? {})}`;
  return `${types.join(' or ')}${format}`;
}

function optionsOf(contract: Contract, operation: Operation): string {
  const lines = flagsOf(operation)
    .filter(({ field }) => field.name !== 'Idempotency-Key' && field.name !== 'Prefer')
    .map(({ flag, field }) => optionLine(contract, flag, field));
  if (operation.bodyType !== undefined && !operation.fields.some(({ place }) => place === 'body'))
    lines.push(`  --body-file FILE   the body, ${operation.bodyType}`);
  return lines.length === 0 ? '' : `Options:\n${lines.join('\n')}`;
}

function optionLine(contract: Contract, flag: string, field: Field): string {
  const value = isBoolean(field.schema) ? '[true|false]' : `<${typeOf(contract, field.schema)}>`;
  const sentence = field.description.split(/(?<=\.)\s/)[0]?.replace(/\s+/g, ' ') ?? '';
  const facts = [
    ...(field.isRequired ? ['required'] : []),
    ...limitsOf(contract.merged(field.schema), (json) => json),
  ];
  return `  --${flag} ${value}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}${sentence === '' ? '' : `\n      ${sentence}`}`;
}

function returned(contract: Contract, { success, isList }: Operation): string {
  const schema = isList ? contract.merged(success.schema?.properties?.['data']?.items ?? {}) : success.schema;
  const names = Object.keys(schema?.properties ?? {});
  if (names.length === 0) return '';
  return `, ${isList ? 'pages of entries with' : 'an object with'} ${names.join(', ')}`;
}

const problemsOf = ({ problems }: Operation): string =>
  ['Problems:', ...[...problems].map(([code, condition]) => `  ${code}: ${condition}`)].join('\n');

function exampleOf(operation: Operation): string {
  const flags = flagsOf(operation)
    .filter(({ field }) => field.isRequired)
    .map(({ flag, field }) => `--${flag} ${sampleOf(field)}`);
  return ['gantry api', operation.id, ...flags].join(' ');
}

const sampleOf = ({ name, schema }: Field): string =>
  schema.enum === undefined ? name.toUpperCase().replaceAll('-', '_') : String(schema.enum[0]);

function curlExample(operation: Operation, server: string): string {
  const samples = operation.fields.filter(({ isRequired }) => isRequired);
  const at = (place: Field['place']): Record<string, unknown> =>
    Object.fromEntries(
      samples.filter((field) => field.place === place).map((field) => [field.name, sampleOf(field)]),
    );
  const body = at('body');
  const isForm = operation.bodyType === 'multipart/form-data';
  for (const { name, schema } of samples)
    if (isForm && isBinary(schema)) body[name] = { fileName: `${name}.bin`, bytes: new Uint8Array() };
  const takesFields = isForm || operation.bodyType === 'application/json';
  const draft = draftOf(server, operation, {
    path: at('path'),
    query: at('query'),
    header: at('header'),
    body: takesFields && Object.keys(body).length > 0 ? body : undefined,
  });
  return curlOf(draft, operation.security.length === 0 ? undefined : ['X-Api-Key', '']);
}

function wrapped(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const lines = [''];
      for (const word of line.split(' ')) {
        const last = lines.at(-1) ?? '';
        if (last !== '' && last.length + word.length + 1 > wrapAt) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');
}

// The call of an operation with the TypeScript client.
import {
  sampleFile,
  type Credential,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from '../../contract/reference/samples/sample-call.ts';

export const typescript: SampleLanguage = { label: 'TypeScript', fence: 'ts', write: typescriptOf };

function typescriptOf({ operation, baseUrl, values, credential, body }: SampleCall): string {
  const places = (['path', 'query', 'header'] as const).flatMap((place) =>
    values[place].length === 0
      ? []
      : [[place, Object.fromEntries(values[place].map(({ name, example }) => [name, example]))] as const],
  );
  const fields = [
    ...(places.length === 0 ? [] : [`params: ${literal(Object.fromEntries(places), 1)}`]),
    ...(body === undefined ? [] : [bodyField(body)]),
  ];
  const given = fields.length === 0 ? '' : `, {\n${fields.map((field) => `  ${field},\n`).join('')}}`;
  const call = `client.${operation.method}(${quoted(operation.path)}${given})`;
  return [
    ...(body?.kind === 'file' || body?.kind === 'form' ? [`import { openAsBlob } from 'node:fs';`] : []),
    `import { createClient } from '@gantry/client';`,
    '',
    'const client = createClient({',
    `  baseUrl: ${quoted(baseUrl)},`,
    ...(credential === undefined ? [] : [`  ${credentialField(credential)},`]),
    '});',
    ...(body?.kind === 'form' ? formLines(body) : []),
    ...(operation.status === '204'
      ? [`await ${call};`]
      : [`const { data } = await ${call};`, 'console.log(data);']),
  ].join('\n');
}

/** Tokens are sent as keys are: a session would need the refresh token, too. */
const credentialField = ({ scheme, variable }: Credential) =>
  `${scheme === 'licenseKey' ? 'licenseKey' : 'apiKey'}: process.env[${quoted(variable)}] ?? ''`;

function bodyField(body: SampleBody): string {
  if (body.kind === 'json') return `body: ${literal(body.example, 1)}`;
  return body.kind === 'form' ? 'body: form' : `body: await openAsBlob(${quoted(sampleFile)})`;
}

const formLines = ({ fields }: SampleBody & { kind: 'form' }) => [
  'const form = new FormData();',
  ...fields.map(({ name, value, isFile }) =>
    isFile
      ? `form.set(${quoted(name)}, await openAsBlob(${quoted(sampleFile)}), ${quoted(sampleFile)});`
      : `form.set(${quoted(name)}, ${quoted(String(value))});`,
  ),
];

function literal(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${literal(item, depth + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  const line = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`;
  if (line.length + indent.length <= 80 && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close}`;
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

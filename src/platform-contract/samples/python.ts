// The call of an operation with the Python SDK.
import { snake } from '../../../shared/sdks/words.ts';
import { safeName } from '../../../shared/sdks/python-names.ts';
import {
  sampleFile,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from '../../contract/reference/samples/sample-call.ts';

export const python: SampleLanguage = { label: 'Python', fence: 'python', write: pythonOf };

function pythonOf({ operation, baseUrl, values, credential, body }: SampleCall): string {
  const given = [
    ...values.path.map(({ example }) => literal(example, 0)),
    ...(body === undefined ? [] : [bodyArgument(body)]),
    ...[...values.query, ...values.header].map(
      ({ name, example }) => `${safeName(snake(name))}=${literal(example, 0)}`,
    ),
  ];
  const keyword = credential?.scheme === 'licenseKey' ? 'license_key' : 'api_key';
  const key = credential === undefined ? '' : `, ${keyword}=os.environ[${quoted(credential.variable)}]`;
  const call = `client.${safeName(snake(operation.id))}(${given.join(', ')})`;
  return [
    ...(credential === undefined ? [] : ['import os']),
    ...(body?.kind === 'file' || body?.kind === 'form' ? ['from pathlib import Path'] : []),
    ...(credential === undefined && body?.kind !== 'file' && body?.kind !== 'form' ? [] : ['']),
    'import gantry',
    '',
    `client = gantry.Client(${quoted(baseUrl)}${key})`,
    operation.status === '204' ? call : `print(${call})`,
  ].join('\n');
}

function bodyArgument(body: SampleBody): string {
  const content = `Path(${quoted(sampleFile)}).read_bytes()`;
  if (body.kind === 'json') return literal(body.example, 0);
  if (body.kind === 'file') return content;
  const fields = body.fields.map(
    ({ name, value, isFile }) =>
      `${quoted(name)}: ${isFile ? `(${quoted(sampleFile)}, ${content})` : quoted(String(value))}`,
  );
  return `{${fields.join(', ')}}`;
}

function literal(value: unknown, depth: number): string {
  const indent = '    '.repeat(depth);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, item]) => `${quoted(key)}: ${literal(item, depth + 1)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + indent.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}${close}`;
}

/** JSON escapes surrogates alone only, so a text of JSON is a text of Python. */
const quoted = (text: string) => JSON.stringify(text);

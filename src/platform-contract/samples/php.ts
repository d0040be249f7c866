// The call of an operation with the PHP SDK, whose bodies are arrays.
import { plainText } from '../../../shared/plain-text.ts';
import { quotedInPhp, variableOf } from '../../../shared/sdks/php-names.ts';
import {
  sampleFile,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from '../../contract/reference/samples/sample-call.ts';

export const php: SampleLanguage = { label: 'PHP', fence: 'php', write: phpOf };

function phpOf({ operation, baseUrl, values, credential, body }: SampleCall): string {
  const given = [
    ...values.path.map(({ example }) => literal(example, 0)),
    ...(body === undefined
      ? []
      : [`${operation.body?.isRequired === true ? '' : 'body: '}${bodyArgument(body)}`]),
    ...[...values.query, ...values.header].map(
      ({ name, example }) => `${variableOf(name)}: ${literal(example, 0)}`,
    ),
  ];
  const keyword = credential?.scheme === 'licenseKey' ? 'licenseKey' : 'apiKey';
  const key = credential === undefined ? '' : `, ${keyword}: getenv(${quoted(credential.variable)})`;
  const call = `$client->${operation.id}(${given.join(', ')})`;
  return [
    '<?php',
    '',
    "require 'vendor/autoload.php';",
    '',
    `$client = new Gantry\\Client(${quoted(baseUrl)}${key});`,
    operation.status === '204' ? `${call};` : `print_r(${call});`,
  ].join('\n');
}

function bodyArgument(body: SampleBody): string {
  const content = `file_get_contents(${quoted(sampleFile)})`;
  if (body.kind === 'json') return literal(body.example, 0);
  if (body.kind === 'file') return content;
  const fields = body.fields.map(
    ({ name, value, isFile }) =>
      `${quoted(name)} => ${isFile ? `new Gantry\\File(${quoted(sampleFile)}, ${content})` : quoted(plainText(value))}`,
  );
  return `[${fields.join(', ')}]`;
}

function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, item]) => `${quoted(key)} => ${literal(item, depth + 1)}`);
  // An empty array is a list in PHP.
  if (items.length === 0) return isList ? '[]' : 'new stdClass()';
  const indent = '    '.repeat(depth);
  const line = `[${items.join(', ')}]`;
  if (line.length + indent.length <= 60 && !line.includes('\n')) return line;
  return `[\n${items.map((item) => `${indent}    ${item},\n`).join('')}${indent}]`;
}

/** In double quotes if it has characters that single quotes cannot escape. */
const quoted = (text: string): string =>
  /[\n\r\t]/.test(text)
    ? JSON.stringify(text).replaceAll('$', '\\$').replaceAll('\\/', '/')
    : quotedInPhp(text);

// Writes the contract as a Bruno collection: a folder of text files, one for each request.
import { plainText } from '../plain-text.ts';
import {
  foldersOf,
  localUrl,
  variablesFor,
  type CollectedParameter,
  type CollectedRequest,
} from './requests.ts';

/** Files by their path in the collection's folder. */
export function brunoCollection(document: Record<string, unknown>, baseUrl = localUrl): Map<string, string> {
  const { title } = document['info'] as { title: string };
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: title, type: 'collection', ignore: [] }, null, 2)}\n`,
    ],
    ['environments/platform.bru', environment(baseUrl)],
  ]);
  for (const { name, group, requests } of foldersOf(document))
    for (const [index, request] of requests.entries())
      files.set(`${fileName(group)}/${fileName(name)}/${request.id}.bru`, requestFile(request, index + 1));
  return files;
}

/** Secrets have no value in the file; Bruno asks for them. */
function environment(baseUrl: string): string {
  const secrets = Object.keys(variablesFor(baseUrl)).filter((name) => name !== 'baseUrl');
  return `vars {\n  baseUrl: ${baseUrl}\n}\nvars:secret [\n${secrets.map((name) => `  ${name}`).join(',\n')}\n]\n`;
}

const fileName = (name: string): string => name.replace(/[^\w &-]+/g, ' ').trim();

function requestFile(
  { summary, description, method, path, parameters, body, auth }: CollectedRequest,
  order: number,
): string {
  const at = (place: string) => parameters.filter((each) => each.place === place);
  const headers = [
    ...(auth === undefined ? [] : [`  ${auth.header}: ${auth.value}`]),
    ...at('header').map(line),
  ];
  const mode = modeOf(body);
  return [
    block('meta', [`  name: ${oneLine(summary)}`, '  type: http', `  seq: ${order}`]),
    block(method.toLowerCase(), [
      `  url: {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      `  body: ${mode}`,
      '  auth: none',
    ]),
    block('params:query', at('query').map(line)),
    block(
      'params:path',
      at('path').map(({ name, example }) => `  ${name}: ${oneLine(example)}`),
    ),
    block('headers', headers),
    mode === 'json' ? block('body:json', indented(JSON.stringify(body?.example ?? {}, null, 2))) : '',
    mode === 'multipartForm'
      ? block(
          'body:multipart-form',
          Object.entries((body?.example ?? {}) as Record<string, unknown>).map(
            ([name, value]) => `  ${name}: ${oneLine(plainText(value))}`,
          ),
        )
      : '',
    block('docs', indented(description)),
  ]
    .filter(Boolean)
    .join('\n');
}

function modeOf(body: CollectedRequest['body']): string {
  if (body === undefined) return 'none';
  if (body.contentType === 'multipart/form-data') return 'multipartForm';
  return body.contentType.endsWith('json') ? 'json' : 'file';
}

const block = (name: string, lines: string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.join('\n')}\n}\n`;

/** A tilde switches off what is optional. */
const line = ({ name, example, isRequired }: CollectedParameter): string =>
  `  ${isRequired ? '' : '~'}${name}: ${oneLine(example)}`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
const indented = (text: string): string[] =>
  text === '' ? [] : text.split('\n').map((each) => `  ${each}`.trimEnd());

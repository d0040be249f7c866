// Writes the contract as a Postman collection of format 2.1.
import { plainText } from '../plain-text.ts';
import { foldersOf, localUrl, variablesFor, type CollectedRequest } from './requests.ts';

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanCollection(document: Record<string, unknown>, baseUrl = localUrl): object {
  const { title, version } = document['info'] as { title: string; version: string };
  const folders = foldersOf(document);
  const groups = [...new Set(folders.map(({ group }) => group))];
  return {
    info: { name: title, description: `Generated from version ${version} of the contract.`, schema: format },
    variable: Object.entries(variablesFor(baseUrl)).map(([key, value]) => ({ key, value, type: 'string' })),
    item: groups.map((group) => ({
      name: group,
      item: folders
        .filter((folder) => folder.group === group)
        .map(({ name, requests }) => ({ name, item: requests.map(itemOf) })),
    })),
  };
}

function itemOf({ summary, description, method, path, parameters, body, auth }: CollectedRequest): object {
  const at = (place: string) => parameters.filter((each) => each.place === place);
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const query = at('query').map(({ name, example, description: text, isRequired }) => ({
    key: name,
    value: example,
    description: text,
    disabled: !isRequired,
  }));
  return {
    name: summary,
    request: {
      method,
      description,
      auth: { type: 'noauth' },
      header: [
        ...(auth === undefined ? [] : [{ key: auth.header, value: auth.value }]),
        ...(body?.contentType === 'application/json'
          ? [{ key: 'Content-Type', value: body.contentType }]
          : []),
        ...at('header').map(({ name, example, description: text, isRequired }) => ({
          key: name,
          value: example,
          description: text,
          disabled: !isRequired,
        })),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length === 0 ? {} : { query }),
        variable: at('path').map(({ name, example, description: text }) => ({
          key: name,
          value: example,
          description: text,
        })),
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    },
  };
}

function bodyOf({ contentType, example }: NonNullable<CollectedRequest['body']>): object {
  if (contentType === 'multipart/form-data')
    return {
      mode: 'formdata',
      formdata: Object.entries((example ?? {}) as Record<string, unknown>).map(([key, value]) => ({
        key,
        type: 'text',
        value: plainText(value),
      })),
    };
  if (!contentType.endsWith('json')) return { mode: 'file', file: {} };
  return { mode: 'raw', raw: JSON.stringify(example ?? {}, null, 2), options: { raw: { language: 'json' } } };
}

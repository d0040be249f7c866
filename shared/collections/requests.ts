// The requests that collections hold: every operation of the contract with its parameters and an example of its body.
import {
  exampleOf,
  operationsIn,
  preferredMedia,
  resolved,
  type FoundOperation,
  type OperationObject,
  type Parameter,
  type RequestBody,
} from '../openapi/document.ts';
import type { Schema } from '../openapi/schema.ts';

export interface CollectedParameter {
  name: string;
  place: 'path' | 'query' | 'header';
  isRequired: boolean;
  description: string;
  example: string;
}

export interface CollectedRequest {
  id: string;
  summary: string;
  description: string;
  method: string;
  path: string;
  parameters: CollectedParameter[];
  body: { contentType: string; example: unknown } | undefined;
  /** The header that authenticates, with the collection's variable. */
  auth: { header: string; value: string } | undefined;
}

export interface Folder {
  name: string;
  /** The group of the reference that has this folder. */
  group: string;
  requests: CollectedRequest[];
}

/** One folder for each tag, in the order of the reference. */
export function foldersOf(document: Record<string, unknown>): Folder[] {
  const byTag = new Map<string, CollectedRequest[]>();
  for (const found of operationsIn(document)) {
    const [tag = ''] = found.operation.tags ?? [];
    byTag.set(tag, [...(byTag.get(tag) ?? []), requestOf(document, found)]);
  }
  const groups = (document['x-tagGroups'] ?? []) as { name: string; tags: string[] }[];
  const ordered = groups.flatMap(({ name: group, tags }) => tags.map((name) => ({ name, group })));
  const others = [...byTag.keys()].filter((tag) => !ordered.some(({ name }) => name === tag));
  return [...ordered, ...others.map((name) => ({ name, group: 'Other' }))].flatMap(({ name, group }) => {
    const requests = byTag.get(name);
    return requests === undefined ? [] : [{ name, group, requests }];
  });
}

function requestOf(
  document: object,
  { path, method, operation }: FoundOperation<OperationObject>,
): CollectedRequest {
  const { operationId: id = '', summary = '', description = '', security = [] } = operation;
  const body = resolved<RequestBody>(document, operation.requestBody ?? {});
  const preferred = preferredMedia(body.content);
  return {
    id,
    summary,
    description,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters.flatMap((parameter) => parameterOf(document, parameter)),
    body: preferred && { contentType: preferred.type, example: exampleOf(document, preferred.media) },
    auth: authOf(security),
  };
}

function parameterOf(document: object, parameter: Parameter): CollectedParameter[] {
  const { name, in: place, required, description = '', schema } = parameter;
  if (place === 'cookie') return [];
  const { default: preset } = resolved<Schema>(document, schema ?? {});
  const example = exampleOf(document, parameter) ?? preset ?? '';
  return [
    {
      name,
      place,
      isRequired: required === true,
      description,
      example: typeof example === 'string' ? example : JSON.stringify(example),
    },
  ];
}

/** API keys where they are accepted; otherwise the token or key that the operation's audience has. */
function authOf(security: readonly object[]): CollectedRequest['auth'] {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  if (schemes.length === 0) return undefined;
  if (schemes.includes('apiKey')) return { header: 'X-Api-Key', value: '{{apiKey}}' };
  if (schemes.includes('hostKey')) return { header: 'Authorization', value: 'Bearer {{hostKey}}' };
  if (schemes.includes('companionToken'))
    return { header: 'Authorization', value: 'Bearer {{companionToken}}' };
  if (schemes.includes('licenseKey')) return { header: 'X-License-Key', value: '{{licenseKey}}' };
  return { header: 'Authorization', value: 'Bearer {{token}}' };
}

/** Variables of a collection. The address is the server's; secrets are empty. */
export const variablesFor = (baseUrl: string) => ({
  baseUrl,
  apiKey: '',
  token: '',
  hostKey: '',
  companionToken: '',
  licenseKey: '',
});

/** The address of a platform that `npm start` has started. */
export const localUrl = 'http://127.0.0.1:3000';

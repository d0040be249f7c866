// What the SDKs of every language are written from: the contract's operations and types, with every type named.
import {
  isJson,
  operationsIn,
  preferredMedia,
  resolved,
  successOf,
  type FoundOperation,
  type MediaType,
  type OperationObject,
  type RequestBody,
} from '../openapi/document.ts';
import { Definitions, type Definition, type Property, type Type, type Value } from './definitions.ts';
import { pascal } from './words.ts';

export interface Parameter extends Property {
  place: 'path' | 'query' | 'header';
}

export interface OperationModel {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: { value: Value; contentType: string; isRequired: boolean } | undefined;
  result: { value: Value; contentType: string } | undefined;
  /** The type of a page's entries, for lists. */
  entry: Value | undefined;
  isPublic: boolean;
  isIdempotent: boolean;
}

export interface Model {
  version: string;
  definitions: Definition[];
  operations: OperationModel[];
}

export function modelOf(document: Record<string, unknown>): Model {
  const definitions = new Definitions(document);
  const operations = operationsIn(document).flatMap((found) =>
    found.operation.operationId === undefined ? [] : [operationOf(document, definitions, found)],
  );
  const { version } = document['info'] as { version: string };
  return { version, definitions: definitions.list(), operations };
}

function operationOf(
  document: object,
  definitions: Definitions,
  { path, method, operation }: FoundOperation<OperationObject>,
): OperationModel {
  const { operationId: id = '', summary = '', description = '', security } = operation;
  const parameters = operation.parameters.flatMap(
    ({ name, in: place, required, description: text = '', schema = {} }) =>
      place === 'cookie'
        ? []
        : [
            {
              name,
              place,
              isRequired: required === true,
              description: text,
              ...definitions.valueOf(schema, `${pascal(id)}${pascal(name)}`),
            },
          ],
  );
  const body = resolved<RequestBody>(document, operation.requestBody ?? {});
  const request = bodyOf(definitions, body.content, `${pascal(id)}Body`);
  const { status, response } = successOf(document, operation) ?? {};
  const result = status === '204' ? undefined : bodyOf(definitions, response?.content, `${pascal(id)}Result`);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters,
    body: request && { ...request, isRequired: body.required === true },
    result,
    entry: parameters.some(({ name }) => name === 'cursor')
      ? entryOf(definitions, result?.value.type)
      : undefined,
    isPublic: security?.length === 0,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** The type of a page's entries. */
function entryOf(definitions: Definitions, type: Type | undefined): Value | undefined {
  const page = type?.kind === 'named' ? definitions.get(type.name) : undefined;
  if (page?.kind !== 'object' || !page.properties.some(({ name }) => name === 'next_cursor'))
    return undefined;
  const data = page.properties.find(({ name }) => name === 'data')?.type;
  return data?.kind === 'list' ? data.of : undefined;
}

function bodyOf(
  definitions: Definitions,
  content: Readonly<Record<string, MediaType>> | undefined,
  name: string,
): { value: Value; contentType: string } | undefined {
  const preferred = preferredMedia(content);
  if (preferred === undefined) return undefined;
  const { type: contentType, media } = preferred;
  const value: Value = isJson(contentType)
    ? definitions.valueOf(media.schema ?? {}, name)
    : { type: { kind: 'bytes' }, isNullable: false };
  return { value, contentType };
}

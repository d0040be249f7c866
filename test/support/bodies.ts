// Request bodies in every media type of the contract, as a correct client sends them.
import type { Test } from 'supertest';
import { contract, type Body } from './contract.ts';
import { follow, placesOf, typesOf } from './schemas.ts';

const { schemas } = contract.components;

export const isJson = (type: string) => /^application\/([\w.-]+\+)?json$/.test(type);

/** Whether the body is read as a JSON object. A signed message is JSON too, but is read byte for byte. */
export function isJsonObject({ type, schema }: Body): boolean {
  return (
    isJson(type) && placesOf(schema, schemas).some((place) => isRoot(place.path) && isObject(place.schema))
  );
}

/** Whether the body is a JSON object that accepts only the named fields. */
export function isClosed(body: Body): boolean {
  const places = placesOf(body.schema, schemas).filter(({ path }) => isRoot(path));
  const closed = places.some(
    ({ schema }) => schema.additionalProperties === false || schema.unevaluatedProperties === false,
  );
  return isJsonObject(body) && closed;
}

const isRoot = (path: readonly string[]) => path.length === 0;
const isObject = (schema: Body['schema']) => typesOf(schema).includes('object');

/** Sends the value as a body of that type. */
export function sendBody(test: Test, { type, schema }: Body, value: unknown): Test {
  if (type === 'multipart/form-data') return sendParts(test, follow(schema, schemas), value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  test.set('Content-Type', type);
  return test.send(isJson(type) || type.startsWith('text/') ? text : Buffer.from(text));
}

/** A part is a file when it has a media type of its own, or holds bytes. */
function sendParts(test: Test, { properties = {} }: Body['schema'], value: unknown): Test {
  for (const [name, part] of Object.entries(value as Record<string, unknown>)) {
    const schema = follow(properties[name] ?? {}, schemas);
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    if (schema.format === 'binary' || 'contentMediaType' in schema)
      test.attach(name, Buffer.from(text), name);
    else test.field(name, text);
  }
  return test;
}

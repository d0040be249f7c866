// The call that the samples of an operation make, in every language: its required parameters and its body, as exampled.
import type { Schema } from '../../../../shared/openapi/schema.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import type { Catalogue, MediaType, OperationEntry, Parameter } from '../catalogue.ts';

export interface SampleCall {
  operation: OperationEntry;
  /** The address of the server. */
  baseUrl: string;
  /** Required parameters and their examples, by place. */
  values: Readonly<Record<'path' | 'query' | 'header', readonly SampleValue[]>>;
  /** Undefined for public operations. */
  credential: Credential | undefined;
  body: SampleBody | undefined;
}

export interface SampleValue {
  name: string;
  example: unknown;
}

export interface Credential {
  scheme: string;
  header: string;
  /** What precedes the credential in the header. */
  prefix: string;
  /** The environment variable that holds it. */
  variable: string;
}

export type SampleBody =
  | { kind: 'json'; type: string; example: unknown }
  | { kind: 'form'; fields: { name: string; value: unknown; isFile: boolean }[] }
  | { kind: 'file'; type: string };

/** Writes the same call in one language. */
export interface SampleLanguage {
  /** The name that readers know, also as `lang` of `x-codeSamples`. */
  label: string;
  /** The language of the fence in Markdown. */
  fence: string;
  write: (call: SampleCall) => string;
}

/** The file that samples upload. */
export const sampleFile = 'upload.bin';

export function sampleCallOf(
  operation: OperationEntry,
  { securitySchemes, schemas }: Catalogue,
  baseUrl: string,
): SampleCall {
  const required = (place: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === place && parameter.required === true)
      .map((parameter) => ({ name: parameter.name, example: exampleOf(parameter, schemas) }));
  return {
    operation,
    baseUrl,
    values: { path: required('path'), query: required('query'), header: required('header') },
    credential: credentialOf(operation, securitySchemes),
    body: bodyOf(operation, schemas),
  };
}

export const firstExampleOf = ({ example, examples }: MediaType): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

/** The path and query with examples filled in. */
export function targetOf({ operation, values }: SampleCall): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(plainText(values.path.find((value) => value.name === name)?.example ?? `{${name}}`)),
  );
  const query = values.query.map(({ name, example }) => `${name}=${encodeURIComponent(plainText(example))}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function exampleOf({ name, example, schema }: Parameter, schemas: Catalogue['schemas']): unknown {
  const found = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  return (
    example ?? found?.example ?? found?.examples?.[0] ?? found?.enum?.[0] ?? found?.default ?? `{${name}}`
  );
}

/** API keys where they are accepted: samples are for programs. */
function credentialOf(
  { security }: OperationEntry,
  schemes: Catalogue['securitySchemes'],
): Credential | undefined {
  const names = security.flatMap((alternative) => Object.keys(alternative));
  const scheme = names.find((name) => schemes[name]?.type === 'apiKey') ?? names[0];
  if (scheme === undefined) return undefined;
  const isHeader = schemes[scheme]?.type === 'apiKey';
  return {
    scheme,
    header: isHeader ? (schemes[scheme]?.name ?? '') : 'Authorization',
    prefix: isHeader ? '' : 'Bearer ',
    variable: variables[scheme] ?? 'TOKEN',
  };
}

/** Environment variables of credentials, by security scheme; users' access tokens are `TOKEN`. */
const variables: Readonly<Record<string, string>> = {
  apiKey: 'API_KEY',
  hostKey: 'HOST_KEY',
  companionToken: 'COMPANION_TOKEN',
  licenseKey: 'LICENSE_KEY',
};

function bodyOf({ body }: OperationEntry, schemas: Catalogue['schemas']): SampleBody | undefined {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const example = firstExampleOf(media);
  if (/[/+]json$/.test(type)) return { kind: 'json', type, example: example ?? {} };
  if (type !== 'multipart/form-data') return { kind: 'file', type };
  const schema = resolved(media.schema ?? {}, schemas);
  const fields = Object.entries((example ?? {}) as Record<string, unknown>).map(([name, value]) => ({
    name,
    value,
    isFile: resolved(schema.properties?.[name] ?? {}, schemas).format === 'binary',
  }));
  return { kind: 'form', fields };
}

const resolved = (schema: Schema, schemas: Catalogue['schemas']): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

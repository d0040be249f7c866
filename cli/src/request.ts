// Builds the request of an operation from its arguments, and shows it as a curl command.
import { plainText } from '../../shared/plain-text.ts';
import { curlCommand, forShell } from '../../shared/shell-commands.ts';
import type { Operation, SecurityScheme } from './contract.ts';
import { CliError } from './failures.ts';
import type { Credentials } from './profiles.ts';

/** Values for an operation, by where they go. */
export interface Arguments {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  /** JSON, unless the operation takes another content type: then bytes, or the fields of a form. */
  body: unknown;
}

export interface Attachment {
  fileName: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Draft {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

export const emptyArguments = (): Arguments => ({ path: {}, query: {}, header: {}, body: undefined });

export function draftOf(server: string, operation: Operation, given: Arguments): Draft {
  const missing = missingFields(operation, given);
  if (missing.length > 0)
    throw new CliError(
      `${operation.id} needs ${missing.join(', ')}. See \`gantry operations describe ${operation.id}\`.`,
    );
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, given.path[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query))
    query.set(name, Array.isArray(value) ? value.map(plainText).join(',') : plainText(value));
  const headers: Record<string, string> = { Accept: acceptOf(operation) };
  for (const [name, value] of Object.entries(given.header)) headers[name] = plainText(value);
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const draft = { method: operation.method, url: `${server}${path}${search}`, headers, body: undefined };
  return given.body === undefined ? draft : { ...draft, ...bodyOf(operation, given.body, headers) };
}

/** Empty segments and dots would name another path. */
function segment(name: string, value: unknown): string {
  const text = plainText(value);
  if (text === '' || text === '.' || text === '..') throw new CliError(`"${text}" is not a valid ${name}.`);
  return encodeURIComponent(text);
}

function missingFields({ fields, isBodyRequired }: Operation, given: Arguments): string[] {
  const hasBody = given.body !== undefined;
  const body = isRecord(given.body) ? given.body : undefined;
  return fields
    .filter(({ isRequired, place, name }) => {
      if (!isRequired) return false;
      if (place !== 'body') return given[place][name] === undefined;
      return hasBody ? body !== undefined && body[name] === undefined : isBodyRequired;
    })
    .map(({ name }) => name);
}

function bodyOf(
  operation: Operation,
  body: unknown,
  headers: Record<string, string>,
): Pick<Draft, 'body' | 'headers'> {
  const { bodyType, id } = operation;
  if (bodyType === undefined) throw new CliError(`${id} takes no body.`);
  if (bodyType === 'multipart/form-data') return { body: formOf(body), headers };
  if (/\bjson\b/.test(bodyType) && !(body instanceof Uint8Array))
    return { body: JSON.stringify(body), headers: { ...headers, 'Content-Type': bodyType } };
  if (body instanceof Uint8Array)
    return { body: new Uint8Array(body), headers: { ...headers, 'Content-Type': bodyType } };
  return { body: plainText(body), headers: { ...headers, 'Content-Type': bodyType } };
}

function formOf(body: unknown): FormData {
  if (!isRecord(body)) throw new CliError('A form takes its fields one by one.');
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (isAttachment(value)) form.append(name, new Blob([value.bytes]), value.fileName);
    else form.append(name, plainText(value));
  }
  return form;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

export const isAttachment = (value: unknown): value is Attachment =>
  isRecord(value) && value['bytes'] instanceof Uint8Array && typeof value['fileName'] === 'string';

const acceptOf = ({ success }: Operation): string =>
  success.type === undefined || success.type === 'application/json'
    ? 'application/json'
    : `${success.type}, application/json;q=0.9, */*;q=0.1`;

/** Where the operation takes these credentials: a header's name and value. */
export function authorization(
  operation: Operation,
  schemes: Record<string, SecurityScheme>,
  credentials: Credentials,
): [name: string, value: string] | undefined {
  if (operation.security.length === 0 || credentials.kind === 'none') return undefined;
  if (credentials.kind === 'session') return ['Authorization', `Bearer ${credentials.tokens.access_token}`];
  if (credentials.kind === 'token') return ['Authorization', `Bearer ${credentials.token}`];
  const accepted = operation.security.flatMap((alternative) => Object.keys(alternative));
  const header = accepted.find((name) => schemes[name]?.type === 'apiKey' && schemes[name].in === 'header');
  const name = header === undefined ? undefined : schemes[header]?.name;
  return name === undefined ? ['Authorization', `Bearer ${credentials.key}`] : [name, credentials.key];
}

/** The draft as a curl command. Secrets are read from the environment, so that none is on the screen. */
export const curlOf = (draft: Draft, secretHeader: [string, string] | undefined): string =>
  curlCommand({
    method: draft.method,
    url: draft.url,
    credential: secretHeader && withoutSecret(secretHeader),
    headers: Object.entries(draft.headers),
    body: bodyOptions(draft.body),
  });

const withoutSecret = ([header, value]: [string, string]) =>
  value.startsWith('Bearer ')
    ? { header, prefix: 'Bearer ', variable: 'GANTRY_TOKEN' }
    : { header, prefix: '', variable: 'GANTRY_API_KEY' };

function bodyOptions(body: Draft['body']): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string') return [`--data-raw ${forShell(body)}`];
  if (!(body instanceof FormData)) return ['--data-binary @-'];
  return [...body].map(
    ([name, value]) =>
      `-F ${forShell(typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`)}`,
  );
}

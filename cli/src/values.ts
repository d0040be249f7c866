// Turns the text of options into the values that the contract asks for.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Contract, Field, Operation, Schema } from './contract.ts';
import { CliError } from './failures.ts';
import { emptyArguments, type Arguments } from './request.ts';

/** Options of the program itself; fields with these names take their place in front, as `--body-wait`. */
export const ownOptions = new Set([
  'all',
  'body',
  'body-file',
  'columns',
  'dry-run',
  'help',
  'output',
  'profile',
  'save',
  'server',
  'timeout',
  'verbose',
  'version',
  'wait',
]);

export interface FlaggedField {
  flag: string;
  field: Field;
}

/** A flag for every field of the operation. */
export function flagsOf(operation: Operation): FlaggedField[] {
  const plain = operation.fields.map((field) => kebab(field.name));
  return operation.fields.map((field, index) => {
    const flag = plain[index] ?? '';
    const isAmbiguous = ownOptions.has(flag) || plain.filter((each) => each === flag).length > 1;
    return { flag: isAmbiguous ? `${field.place}-${flag}` : flag, field };
  });
}

export const kebab = (name: string): string => name.replaceAll('_', '-').toLowerCase();

export const isBinary = (schema: Schema): boolean => schema.format === 'binary';
export const isBoolean = ({ type }: Schema): boolean =>
  type === 'boolean' || (Array.isArray(type) && type.includes('boolean'));
export const isArray = ({ type }: Schema): boolean =>
  type === 'array' || (Array.isArray(type) && type.includes('array'));

export interface BodyOptions {
  /** JSON text, `@file`, or `-` for the standard input. */
  body?: string;
  /** A file of any content type. */
  bodyFile?: string;
}

/** Arguments from the texts of flags; several texts make a list. */
export async function argumentsFrom(
  contract: Contract,
  operation: Operation,
  texts: ReadonlyMap<Field, string[]>,
  { body, bodyFile }: BodyOptions,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<Arguments> {
  const given = emptyArguments();
  if (bodyFile !== undefined) given.body = new Uint8Array(await readBytes(bodyFile, stdin));
  else if (body !== undefined) given.body = parseJson(await expanded(body, stdin), '--body');
  for (const [field, values] of texts) {
    const value = await valueOf(contract, field, values, stdin);
    if (field.place !== 'body') given[field.place][field.name] = value;
    else given.body = { ...(given.body as object | undefined), [field.name]: value };
  }
  // An operation whose fields are all optional still wants its object.
  if (given.body === undefined && operation.isBodyRequired && !operation.fields.some(isRequiredInBody))
    given.body = operation.bodySchema?.properties === undefined ? undefined : {};
  return given;
}

const isRequiredInBody = ({ place, isRequired }: Field) => place === 'body' && isRequired;

async function valueOf(
  contract: Contract,
  { name, schema }: Field,
  texts: string[],
  stdin: NodeJS.ReadableStream,
) {
  if (isBinary(schema)) {
    const file = (texts.at(-1) ?? '').replace(/^@/, '');
    return { fileName: basename(file), bytes: new Uint8Array(await readBytes(file, stdin)) };
  }
  if (isArray(schema)) {
    const item = contract.withoutNull(schema.items ?? {});
    const only = texts.length === 1 ? texts[0] : undefined;
    if (only?.startsWith('[')) return parseJson(only, name);
    return Promise.all(
      texts.map(async (text) => scalarOf(contract, name, item, await expanded(text, stdin))),
    );
  }
  if (texts.length > 1)
    throw new CliError(`${name} takes one text; several values in it are separated by commas.`);
  return scalarOf(contract, name, schema, await expanded(texts[0] ?? '', stdin));
}

function scalarOf(contract: Contract, name: string, schema: Schema, text: string): unknown {
  const types = typesOf(contract, schema);
  if (text === 'null' && types.has('null')) return null;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.has('integer') || types.has('number')) && text.trim() !== '' && !Number.isNaN(Number(text)))
    return Number(text);
  if (types.has('string')) return text;
  if (types.has('object') || types.has('array') || types.size === 0) return parseJson(text, name);
  throw new CliError(`${name} must be ${[...types].join(' or ')}, and "${text}" is not.`);
}

function typesOf(contract: Contract, schema: Schema): Set<string> {
  const resolved = contract.merged(schema);
  const alternatives = resolved.oneOf ?? resolved.anyOf;
  if (alternatives !== undefined)
    return new Set(alternatives.flatMap((each) => [...typesOf(contract, each)]));
  if (resolved.properties !== undefined) return new Set(['object']);
  if (resolved.type === undefined) return new Set(resolved.enum?.map((value) => typeof value));
  return new Set([resolved.type].flat());
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CliError(`${name} is not valid JSON: ${(error as Error).message}`, undefined, { cause: error });
  }
}

/** `@file` stands for the file's content, `@-` for the standard input, and `@@` for a text that begins with @. */
async function expanded(text: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  if (text === '-' || text === '@-') return (await readAll(stdin)).replace(/\r?\n$/, '');
  if (!text.startsWith('@')) return text;
  return (await readBytes(text.slice(1), stdin)).toString('utf8').replace(/\r?\n$/, '');
}

async function readBytes(file: string, stdin: NodeJS.ReadableStream): Promise<Buffer> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(file);
  } catch (error) {
    throw new CliError(`The file "${file}" cannot be read: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}

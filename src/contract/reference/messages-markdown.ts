// Writes the page of an AsyncAPI document in Markdown: its operations with their channels and messages.
import type { Schema } from '../../../shared/openapi/schema.ts';
import { fieldsOf, oneLine, typeOf } from './schema-markdown.ts';

interface Reference {
  $ref: string;
}

interface Message {
  name?: string;
  title?: string;
  summary?: string;
  description?: string;
  payload?: Schema;
  examples?: { payload?: unknown }[];
}

interface Channel {
  address?: string;
  title?: string;
  description?: string;
  messages?: Record<string, Message | Reference>;
}

interface Operation {
  action: 'send' | 'receive';
  title?: string;
  summary?: string;
  description?: string;
  channel: Reference;
  messages?: Reference[];
  reply?: { channel?: Reference; messages?: Reference[] };
}

export interface MessageDocument {
  info: { title: string; version: string; description?: string };
  channels?: Record<string, Channel>;
  operations?: Record<string, Operation>;
  components?: { schemas?: Record<string, Schema> };
}

export function messagesMarkdown(document: MessageDocument): string {
  const { info, operations = {} } = document;
  const sections = Object.entries(operations).map(([name, operation]) =>
    operationOf(name, operation, document),
  );
  return [`# ${info.title}`, info.description ?? '', ...sections].join('\n\n').concat('\n');
}

function operationOf(name: string, operation: Operation, document: MessageDocument): string {
  const { action, channel, messages, reply } = operation;
  const at = found<Channel>(document, channel);
  const words = operation.summary ?? operation.title ?? at.title ?? '';
  return [
    `## ${name}`,
    `${action === 'send' ? 'Sends to' : 'Receives from'} \`${at.address ?? ''}\`. ${oneLine(words)}`.trim(),
    operation.description ?? at.description ?? '',
    ...(messages ?? Object.values(at.messages ?? {})).map((message) => messageOf(message, document)),
    ...(reply?.messages ?? []).map((message) => `**Reply**\n\n${messageOf(message, document)}`),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function messageOf(given: Message | Reference, document: MessageDocument): string {
  const message = found<Message>(document, given);
  const schemas = document.components?.schemas ?? {};
  const { payload } = message;
  const example =
    message.examples?.[0]?.payload ?? (payload === undefined ? undefined : exampleOf(payload, schemas));
  const name = '$ref' in given ? lastOf(given.$ref) : 'Message';
  return [
    `### ${message.title ?? message.name ?? name}`,
    oneLine(message.summary ?? message.description ?? ''),
    payload === undefined ? '' : `Payload: ${typeOf(payload, schemas)}`,
    payload === undefined ? '' : fieldsOf(payload, schemas),
    example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const lastOf = (reference: string) => reference.split('/').at(-1) ?? '';

function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.$ref === undefined) return schema.example ?? schema.examples?.[0];
  const named = schemas[lastOf(schema.$ref)];
  return named === undefined ? undefined : exampleOf(named, schemas);
}

/** Follows references until an object without one. */
function found<Found>(document: MessageDocument, node: Found | Reference): Found {
  if (typeof node !== 'object' || node === null || !('$ref' in node)) return node;
  const target = node.$ref
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  if (target === undefined) throw new Error(`${node.$ref} is not in the document`);
  return found<Found>(document, target as Found | Reference);
}

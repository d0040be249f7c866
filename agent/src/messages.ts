// Validates messages from the bus against the contract's schemas and gives them their generated types.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Options, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { components } from '../../generated/agent-bus.d.ts';
import contract from '../../generated/agent-bus.asyncapi.json' with { type: 'json' };
import { randomBytes } from 'node:crypto';

export type Schemas = components['schemas'];
export type InstanceState = Schemas['InstanceState'];
export type CommandEnvelope = Schemas['CommandEnvelope'];
export type CommandReply = Schemas['CommandReply'];
export type CommandResult = Schemas['CommandResult'];
export type InstanceStateChange = Schemas['InstanceStateChange'];
export type InstanceReport = Schemas['InstanceReport'];
export type HostMetrics = Schemas['HostMetrics'];
export type Heartbeat = Schemas['Heartbeat'];
export type ConsoleLine = Schemas['ConsoleLine'];
export type ConsoleBatch = Schemas['ConsoleBatch'];

export type Parsed<T> = { isValid: true; value: T } | { isValid: false; detail: string };

const detailLength = 1000;

export class Messages {
  readonly #ajv: Ajv2020;

  constructor() {
    this.#ajv = ownSchemas();
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'agent-bus', components: contract.components });
  }

  parse<K extends keyof Schemas>(kind: K, data: string): Parsed<Schemas[K]> {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return { isValid: false, detail: 'The message is not JSON.' };
    }
    return this.check(kind, value);
  }

  check<K extends keyof Schemas>(kind: K, value: unknown): Parsed<Schemas[K]> {
    const validate = this.#validator(kind);
    if (validate(value)) return { isValid: true, value };
    const [error] = validate.errors ?? [];
    return {
      isValid: false,
      detail: cutDetail(`${error?.instancePath || '/'} ${error?.message ?? 'is invalid'}`),
    };
  }

  #validator<K extends keyof Schemas>(kind: K): ValidateFunction<Schemas[K]> {
    const validate = this.#ajv.getSchema<Schemas[K]>(`agent-bus#/components/schemas/${kind}`);
    if (validate === undefined) throw new Error(`The contract has no schema ${kind}.`);
    return validate;
  }
}

/** Removes NUL characters and lone surrogates, which the platform refuses and a game server's reply may contain. */
export function cutDetail(text: string): string {
  return text.replaceAll('\0', '').slice(0, detailLength).toWellFormed();
}

/** The schemas are trusted and not validated, because validation would take most of the agent's start time. */
export const ownSchemas = (options: Options = {}): Ajv2020 =>
  new Ajv2020({ strict: false, validateSchema: false, ...options });

export function uuidv7(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

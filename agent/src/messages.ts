// Validates messages from the bus against the contract's schemas and gives them their generated types.
import { readFileSync } from 'node:fs';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { components } from '../../generated/agent-bus.d.ts';
import { ownSchemas } from './own-schemas.ts';

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

  constructor(contractFile: URL = new URL('../../generated/agent-bus.asyncapi.json', import.meta.url)) {
    const contract: unknown = JSON.parse(readFileSync(contractFile, 'utf8'));
    if (typeof contract !== 'object' || contract === null || !('components' in contract)) {
      throw new Error(`${contractFile.pathname} is no AsyncAPI document`);
    }
    this.#ajv = ownSchemas();
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'agent-bus', components: contract.components });
  }

  parse<K extends keyof Schemas>(kind: K, data: string): Parsed<Schemas[K]> {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return { isValid: false, detail: 'The message is no JSON.' };
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

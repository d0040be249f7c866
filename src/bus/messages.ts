// Reads what arrives over the bus: parsed, checked against the contract, storable, or refused.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { components } from '../../generated/agent-bus.d.ts';
import contract from '../../generated/agent-bus.asyncapi.json' with { type: 'json' };
import { isStorableJson } from '../text.ts';

export type BusSchemas = components['schemas'];

/** A message that breaks the contract; `message` says how. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
}

export type Reader<T> = (data: Uint8Array) => T;

export class Messages {
  readonly #ajv: Ajv2020;
  readonly #decoder = new TextDecoder();

  constructor() {
    this.#ajv = new Ajv2020({ strict: false });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'bus', components: contract.components });
  }

  /** A reader of messages of that schema; it throws BadMessage. */
  reader<Name extends keyof BusSchemas>(name: Name): Reader<BusSchemas[Name]> {
    const validate = this.#ajv.getSchema(`bus#/components/schemas/${name}`) as
      ValidateFunction<BusSchemas[Name]> | undefined;
    if (validate === undefined) throw new Error(`the bus has no schema ${name}`);
    return (data) => {
      const text = this.#decoder.decode(data);
      const message = parse(text);
      if (!validate(message)) {
        const [fault] = validate.errors ?? [];
        throw new BadMessage(`${fault?.instancePath ?? ''} ${fault?.message ?? 'is not valid'}`.trim());
      }
      if (!isStorableJson(text, message)) throw new BadMessage('has text that can not be stored');
      return message;
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadMessage('is not JSON', { cause: error });
  }
}

// Reads incoming messages against a message contract: parses and checks them, and refuses unstorable values.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { faultWords } from './fault-words.ts';
import { isStorableJson } from './storable-values.ts';
import { createAjv } from './values.ts';

/** A message that violates the contract; `message` says how. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
}

/** Returns the message in these bytes, or throws BadMessage. */
export type Reader<T> = (data: Uint8Array) => T;

/** A bundled AsyncAPI document; only its schemas are used here. */
interface MessageContract {
  components: { schemas: object };
}

export class Messages<Schemas> {
  readonly #ajv: Ajv2020;
  readonly #names: ReadonlySet<string>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(contract: MessageContract) {
    this.#ajv = createAjv(contract);
    this.#names = new Set(Object.keys(contract.components.schemas));
  }

  /** The schema is compiled for the first message, since a process receives few of all kinds. */
  reader<Name extends keyof Schemas & string>(name: Name): Reader<Schemas[Name]> {
    if (!this.#names.has(name)) throw new Error(`the contract has no schema ${name}`);
    let compiled: ValidateFunction<Schemas[Name]> | undefined;
    return (data) => {
      const validate = (compiled ??= this.#compile(name));
      const text = this.#textOf(data);
      const message = parse(text);
      if (!validate(message)) {
        const [fault] = validate.errors ?? [];
        throw new BadMessage(
          `${fault?.instancePath ?? ''} ${faultWords(fault?.message ?? 'is not valid')}`.trim(),
        );
      }
      if (!isStorableJson(text, message)) throw new BadMessage('has text that cannot be stored');
      return message;
    };
  }

  #compile<Name extends keyof Schemas & string>(name: Name): ValidateFunction<Schemas[Name]> {
    const validate = this.#ajv.getSchema(`contract#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`the schema ${name} cannot be compiled`);
    return validate as ValidateFunction<Schemas[Name]>;
  }

  #textOf(data: Uint8Array): string {
    try {
      return this.#decoder.decode(data);
    } catch (error) {
      throw new BadMessage('is not UTF-8', { cause: error });
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadMessage('is not JSON', { cause: error });
  }
}

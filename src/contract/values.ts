// Validates single values by the contract's schemas, for requests whose items are validated one by one.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { formats } from '../values/formats.ts';

/** A bundled contract; only its schemas are used here. */
export interface Schemed {
  components: object;
}

export class ContractValues {
  readonly #ajv: Ajv2020;

  constructor({ components }: Schemed) {
    this.#ajv = createAjv({ components });
  }

  /** Whether the value matches the contract's schema of that name. */
  isOf(name: string, value: unknown): boolean {
    const validate = this.#ajv.getSchema(`contract#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`the contract has no schema ${name}`);
    return validate(value) === true;
  }
}

/** Creates a validator for `contract#/components/schemas/…`. */
export function createAjv({ components }: Schemed): Ajv2020 {
  return createValidator().addSchema({ $id: 'contract', components });
}

/** Creates a validator for schemas of the contract, with its formats. */
export function createValidator(options: { allErrors?: boolean; verbose?: boolean } = {}): Ajv2020 {
  // The contract is checked when it is generated; checking it again would take half a second of every start.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ...options });
  addFormats.default(ajv);
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
  return ajv;
}

// Judges single values by the schemas of the contract, for requests whose parts stand for themselves.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { formats } from '../values/formats.ts';

/** A bundled contract; only its schemas matter here. */
export interface Schemed {
  components: object;
}

export class ContractValues {
  readonly #ajv: Ajv2020;

  constructor({ components }: Schemed) {
    this.#ajv = createJudge({ components });
  }

  /** Whether the value is what the contract calls by that name. */
  isOf(name: string, value: unknown): boolean {
    const validate = this.#ajv.getSchema(`contract#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`the contract has no schema ${name}`);
    return validate(value) === true;
  }
}

/** What judges by `contract#/components/schemas/…`. */
export function createJudge({ components }: Schemed): Ajv2020 {
  return createValidator().addSchema({ $id: 'contract', components });
}

/** What judges by schemas of the contract, with its formats. */
export function createValidator(options: { allErrors?: boolean; verbose?: boolean } = {}): Ajv2020 {
  // The contract is checked when it is generated; checking it again would take half a second of every start.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ...options });
  addFormats.default(ajv);
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
  return ajv;
}

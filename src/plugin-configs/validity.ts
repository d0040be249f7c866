// Lists the parts of a configuration that the contract's schema refuses.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { formWords } from '../contract/fault-words.ts';
import { createValidator } from '../contract/values.ts';
import { escaped, stepsOf } from './json-text.ts';
import type { Remark } from './reading.ts';
import type { ConfigValue } from './wanted.ts';

const ajv = createValidator({ allErrors: true, verbose: true });

/** Compiled on first use, because large schemas take long to compile. */
export class Validity {
  readonly #schema: object;
  #validate: ValidateFunction | undefined;

  /** The schema includes the targets of its references. */
  constructor(schema: object) {
    this.#schema = schema;
  }

  /** All faults, each at the smallest part that must change. */
  faultsOf(config: ConfigValue): Remark[] {
    this.#validate ??= ajv.compile(this.#schema);
    if (this.#validate(config)) return [];
    const faults = this.#validate.errors ?? [];
    const ofNames = faults.filter(({ propertyName }) => propertyName !== undefined);
    return faults
      .filter(({ propertyName }) => propertyName === undefined)
      .flatMap((fault) => partsOf(fault, config, ofNames));
  }
}

function partsOf(fault: ErrorObject, config: ConfigValue, ofNames: readonly ErrorObject[]): Remark[] {
  const { instancePath: pointer, keyword, params, parentSchema } = fault;
  const message = formWords(fault.message ?? 'is not valid', parentSchema);
  const { propertyName, missingProperty, limit } = params as Readonly<Record<string, string>>;
  switch (keyword) {
    case 'propertyNames': {
      const why = ofNames.find((of) => of.propertyName === propertyName && of.instancePath === pointer);
      const at = `${pointer}/${escaped(String(propertyName))}`;
      return [{ pointer: at, detail: `is a name that ${nameFault(why)}` }];
    }
    case 'required':
      return [{ pointer, detail: `has no ${missingProperty}` }];
    case 'maxItems':
    case 'maxProperties':
      return Object.keys(valueAt(config, pointer))
        .slice(Number(limit))
        .map((key) => ({
          pointer: `${pointer}/${escaped(key)}`,
          detail: `is beyond the ${limit} that there may be`,
        }));
    default:
      return [{ pointer, detail: message }];
  }
}

const nameFault = (fault: ErrorObject | undefined) =>
  fault === undefined
    ? 'may not stand there'
    : formWords(fault.message ?? 'may not stand there', fault.parentSchema);

function valueAt(config: ConfigValue, pointer: string): object {
  const found = stepsOf(pointer).reduce<unknown>(
    (value, step) => (value as Readonly<Record<string, unknown>>)[step],
    config,
  );
  return found as object;
}

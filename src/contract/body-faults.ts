// Lists all faults of a refused body. The validator of requests stops at the first one, because bodies can have thousands.
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { Fault } from '../errors.ts';
import type { Document, Operation } from './document.ts';
import { reasonOf } from './fault-words.ts';
import { pointerOf } from './operation-schema.ts';
import { documentOfValidator } from './reduced-document.ts';
import { withChoices } from './unions.ts';
import { createValidator } from './values.ts';

/** Larger bodies are not searched for further faults, so that a refusal stays cheap. */
export const maxSearchedBytes = 16 * 1024;
export const maxFaults = 50;

/** Finds every fault of small bodies; compiles the schemas of an area at its first refusal. */
export class BodyFaults {
  readonly #document: Document;
  readonly #areas = new Map<string, Ajv2020>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** At most `maxFaults`, one for each place. */
  find(operation: Operation, body: unknown): Fault[] {
    const validate = this.#area(operation).getSchema(`contract#/${pointerOf(this.#document, operation)}`);
    if (validate === undefined || validate(body) === true) return [];
    return faultsOf(withoutBranches(validate.errors ?? []));
  }

  #area(operation: Operation): Ajv2020 {
    const name = [operation.validator, operation.variant?.value ?? []].flat().join('/');
    let area = this.#areas.get(name);
    if (area === undefined) {
      const { paths, components } = withChoices(documentOfValidator(this.#document, operation));
      area = createValidator({ allErrors: true }).addSchema({ $id: 'contract', paths, components });
      this.#areas.set(name, area);
    }
    return area;
  }
}

/** For a discriminated union, returns only the faults of the variant that the discriminator names. */
export const faultsOf = (errors: readonly ErrorObject[]): Fault[] =>
  oneForEachPlace(errors.filter(({ keyword }) => keyword !== 'if').map(faultOf));

/** The first fault of each place, since an empty text breaks a pattern, too. */
export function oneForEachPlace(faults: readonly Fault[]): Fault[] {
  const places = new Map<string, Fault>();
  for (const fault of faults) {
    const place = `${fault.in} ${fault.pointer}`;
    if (!places.has(place)) places.set(place, fault);
    if (places.size === maxFaults) break;
  }
  return [...places.values()];
}

/** Without the faults of each branch of an `anyOf` or `oneOf`: most of them are of branches that were not meant. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors.filter(
    (error) =>
      unions.includes(error) ||
      !unions.some(
        ({ instancePath: path }) => error.instancePath === path || error.instancePath.startsWith(`${path}/`),
      ),
  );
}

function faultOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): Fault {
  const { missingProperty, additionalProperty } = params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  const pointer = typeof name === 'string' ? `${instancePath}/${name}` : instancePath;
  return { in: 'body', pointer, ...reasonOf(message, keyword) };
}

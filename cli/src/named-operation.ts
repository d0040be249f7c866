// Finds an operation by its exact name, or says which ones are near.
import type { Contract, Operation } from './contract.ts';
import { CliError } from './failures.ts';
import { search } from './search.ts';

export function operationNamed(contract: Contract, id: string): Operation {
  const operation =
    contract.operations.get(id) ??
    [...contract.operations.values()].find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (operation !== undefined) return operation;
  const near = search(contract, id, 3).map((each) => each.id);
  const hint = near.length === 0 ? 'See `gantry operations search`.' : `Did you mean ${near.join(', ')}?`;
  throw new CliError(`There is no operation "${id}". ${hint}`);
}

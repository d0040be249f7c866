// The arguments of a call by an agent, which names its parameters without their places.
import type { Operation } from '../contract.ts';
import { CliError } from '../failures.ts';
import { emptyArguments, type Arguments } from '../request.ts';

/** Sorts the parameters into path, query and headers. */
export function argumentsOf(
  operation: Operation,
  { parameters, body }: { parameters: Record<string, unknown>; body?: unknown },
): Arguments {
  const given = { ...emptyArguments(), body };
  if (operation.bodyType !== undefined && !/\bjson\b/.test(operation.bodyType) && body !== undefined)
    throw new CliError(
      `${operation.id} takes a file (${operation.bodyType}); use \`gantry api ${operation.id}\`.`,
    );
  for (const [name, value] of Object.entries(parameters)) {
    const field = operation.fields.find((each) => each.place !== 'body' && each.name === name);
    if (field === undefined || field.place === 'body') {
      const names = operation.fields.filter(({ place }) => place !== 'body').map((each) => each.name);
      throw new CliError(
        `${operation.id} has no parameter "${name}". It has ${names.join(', ') || 'none'}; fields of the body go into body.`,
      );
    }
    given[field.place][name] = value;
  }
  return given;
}

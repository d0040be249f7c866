// Announces in a response's headers that its operation is deprecated, until when it works, and what replaces it.
import type { Response } from 'express';

/** Times in milliseconds since 1970. */
export interface Deprecation {
  sinceMs: number;
  sunsetMs: number;
  /** The ID of the operation that replaces it. */
  successor: string | undefined;
}

interface DeprecableOperation {
  operationId: string;
  deprecated?: boolean;
  'x-deprecated-on'?: string;
  'x-sunset'?: string;
  'x-successor'?: string;
}

/** The notice that docs/api-policy.md promises. */
const minNoticeMonths = 12;

/**
 * Throws if a deprecated operation does not name both days, gives less notice than promised, or names a successor that is
 * none of the operations with these IDs.
 */
export function deprecationOf(
  operation: DeprecableOperation,
  ids: ReadonlySet<string>,
): Deprecation | undefined {
  const { operationId: id, 'x-deprecated-on': deprecatedOn, 'x-sunset': sunset } = operation;
  const successor = operation['x-successor'];
  if (operation.deprecated !== true) {
    if (deprecatedOn !== undefined || sunset !== undefined || successor !== undefined)
      throw new Error(`${id} has a sunset or a successor but is not deprecated`);
    return undefined;
  }
  if (successor !== undefined && !ids.has(successor))
    throw new Error(`${id} has the unknown successor ${successor}`);
  const since = dayOf(id, deprecatedOn);
  const end = dayOf(id, sunset);
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + minNoticeMonths);
  if (end < earliest) throw new Error(`${id} has a sunset before ${earliest.toISOString().slice(0, 10)}`);
  return { sinceMs: since.getTime(), sunsetMs: end.getTime(), successor };
}

function dayOf(id: string, text: string | undefined): Date {
  const day = new Date(`${text ?? ''}T00:00:00Z`);
  if (Number.isNaN(day.getTime()))
    throw new Error(`${id} is deprecated, so it needs x-deprecated-on and x-sunset, each a day`);
  return day;
}

/** Sets the headers of RFC 9745, RFC 8594 and RFC 5829. */
export function announceDeprecation(response: Response, { sinceMs, sunsetMs, successor }: Deprecation): void {
  response.setHeader('Deprecation', `@${Math.floor(sinceMs / 1_000)}`);
  response.setHeader('Sunset', new Date(sunsetMs).toUTCString());
  response.append('Link', '</api/changelog>; rel="deprecation"; type="text/html"');
  if (successor !== undefined)
    response.append('Link', `</api/docs/operations/${successor}>; rel="successor-version"; type="text/html"`);
}

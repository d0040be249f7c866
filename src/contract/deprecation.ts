// Announces in a response's headers that its operation is deprecated, and until when it works.
import type { Response } from 'express';

/** Times in milliseconds since 1970. */
export interface Deprecation {
  sinceMs: number;
  sunsetMs: number;
}

interface DeprecableOperation {
  operationId: string;
  deprecated?: boolean;
  'x-deprecated-on'?: string;
  'x-sunset'?: string;
}

/** The notice that docs/api-policy.md promises. */
const minNoticeMonths = 12;

/** Throws if a deprecated operation does not name both days, or gives less notice than promised. */
export function deprecationOf(operation: DeprecableOperation): Deprecation | undefined {
  const { operationId: id, 'x-deprecated-on': deprecatedOn, 'x-sunset': sunset } = operation;
  if (operation.deprecated !== true) {
    if (deprecatedOn !== undefined || sunset !== undefined)
      throw new Error(`${id} has a sunset but is not deprecated`);
    return undefined;
  }
  const since = dayOf(id, deprecatedOn);
  const end = dayOf(id, sunset);
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + minNoticeMonths);
  if (end < earliest) throw new Error(`${id} has a sunset before ${earliest.toISOString().slice(0, 10)}`);
  return { sinceMs: since.getTime(), sunsetMs: end.getTime() };
}

function dayOf(id: string, text: string | undefined): Date {
  const day = new Date(`${text ?? ''}T00:00:00Z`);
  if (Number.isNaN(day.getTime()))
    throw new Error(`${id} is deprecated, so it needs x-deprecated-on and x-sunset, each a day`);
  return day;
}

/** Sets the headers of RFC 9745 and RFC 8594. */
export function announceDeprecation(response: Response, { sinceMs, sunsetMs }: Deprecation): void {
  response.setHeader('Deprecation', `@${Math.floor(sinceMs / 1_000)}`);
  response.setHeader('Sunset', new Date(sunsetMs).toUTCString());
  response.append('Link', '</api/changelog>; rel="deprecation"; type="text/html"');
}

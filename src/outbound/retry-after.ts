// Reads the Retry-After header of a response.

const maxWaitSeconds = 3_600;

/** In seconds, at most one hour; undefined if the header is absent or invalid. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  const seconds = isDate
    ? (Date.parse(text) - now) / 1000
    : /^\d{1,9}(\.\d{1,9})?$/.test(text)
      ? Number(text)
      : NaN;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxWaitSeconds) : undefined;
}

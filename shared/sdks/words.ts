// Words of the contract in the forms that languages use.

/** `host_id` → `HostId`, `If-Match` → `IfMatch`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `startInstance` → `start_instance`, `Idempotency-Key` → `idempotency_key`. */
export const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** The first paragraph, on one line: enough for a comment. */
export const brief = (text: string): string => (text.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ').trim();

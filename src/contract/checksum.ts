// Checks the checksum that a part of a body carries of its own content.
import { createHash } from 'node:crypto';
import { DomainError } from '../errors.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** Throws `checksum_mismatch` unless the field's content matches its own `checksum`. */
export function refuseDamaged(body: unknown, field: string): void {
  const { checksum, ...content } = (body as Record<string, Record<string, unknown>>)[field] ?? {};
  const actual = `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`;
  if (actual === checksum) return;
  const detail = 'The document is not what its checksum says: it was damaged, cut off or changed by hand.';
  throw new DomainError('checksum_mismatch', detail, {
    faults: [{ in: 'body', pointer: `/${field}/checksum`, detail: `would be ${actual}` }],
  });
}

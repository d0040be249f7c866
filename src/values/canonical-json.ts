// Canonical JSON by RFC 8785, so that equal values have equal text and equal checksums.
import canonicalize from 'canonicalize';

/** The canonical text of a value that JSON can hold. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('JSON cannot hold this value');
  return text;
}

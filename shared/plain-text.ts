// Values of JSON as text for people and for parameters.

/** A text as it is, anything else as JSON. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

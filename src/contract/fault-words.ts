// Words for what schema validation finds, without regular expressions, which no reader of a message should have to parse.

const patternMessage = /^must match pattern /;

const otherForm = 'does not have the required form';

/** A validator's message as people get it. */
export const faultWords = (message: string): string => (patternMessage.test(message) ? otherForm : message);

/** The same where the schema that failed may name the form it requires as `x-form`. */
export function formWords(message: string, schema: unknown): string {
  if (!patternMessage.test(message)) return message;
  const form = (schema as { 'x-form'?: unknown } | undefined)?.['x-form'];
  return typeof form === 'string' ? `is not ${form}` : otherForm;
}

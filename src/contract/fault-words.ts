// Rewords validator messages for readers, without regular expressions.

const patternMessage = /^must match pattern /;

const otherForm = 'does not have the required form';

/** A validator's message as callers see it. */
export const faultWords = (message: string): string => (patternMessage.test(message) ? otherForm : message);

/** As `faultWords`, but uses the form that the failed schema names as `x-form`, if it names one. */
export function formWords(message: string, schema: unknown): string {
  if (!patternMessage.test(message)) return message;
  const form = (schema as { 'x-form'?: unknown } | undefined)?.['x-form'];
  return typeof form === 'string' ? `is not ${form}` : otherForm;
}

// How the PHP SDK names and writes what the contract describes.
import { pascal } from './words.ts';

/** `Idempotency-Key` → `idempotencyKey`. */
export function variableOf(name: string): string {
  const whole = pascal(name);
  const lowered = whole.charAt(0).toLowerCase() + whole.slice(1);
  return ['this', 'body'].includes(lowered) ? `${lowered}Value` : lowered;
}

export const quotedInPhp = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

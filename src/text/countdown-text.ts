// Puts the time that is left into what players are told during a countdown.

/** No announcement is longer. */
const maxTextLength = 500;
/** What a cut leaves of a character of two halves; it could not be stored. */
const halfCharacter = /\p{Surrogate}$/u;

const units = (['hour', 'minute', 'second'] as const).map(
  (unit) => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }),
);

/** "1 hour 30 minutes". */
export function inWords(seconds: number): string {
  const counts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return counts.flatMap((count, index) => (count === 0 ? [] : (units[index]?.format(count) ?? []))).join(' ');
}

/** The message with the time that is left in it, or behind it. */
export function countdownText(message: string, seconds: number): string {
  const time = inWords(seconds);
  const text = message.includes('{time}')
    ? message.replaceAll('{time}', () => time)
    : `${message} (in ${time})`;
  return text.slice(0, maxTextLength).replace(halfCharacter, '');
}

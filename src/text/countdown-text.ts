// Inserts the remaining time into countdown announcements to players.

/** The maximum length of an announcement. */
const maxTextLength = 500;
/** A lone surrogate that truncation left; the database could not store it. */
const halfCharacter = /\p{Surrogate}$/u;

const units = (['hour', 'minute', 'second'] as const).map(
  (unit) => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }),
);

/** "1 hour 30 minutes". */
export function inWords(seconds: number): string {
  const counts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return counts.flatMap((count, index) => (count === 0 ? [] : (units[index]?.format(count) ?? []))).join(' ');
}

/** The message with the remaining time in place of its placeholder, or appended. */
export function countdownText(message: string, seconds: number): string {
  const time = inWords(seconds);
  const text = message.includes('{time}')
    ? message.replaceAll('{time}', () => time)
    : `${message} (in ${time})`;
  return text.slice(0, maxTextLength).replace(halfCharacter, '');
}

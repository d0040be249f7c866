// Computes when players are warned of a coming wipe, and with which text.
import type { Schemas } from '../messages.ts';
import type { WipeKind } from './save-folder.ts';

export type WipeAnnouncement = Schemas['WipeAnnouncement'];

const classicSeconds = [3600, 1800, 900, 600, 300, 60, 30, 10];
const maxTextLength = 500;
/** The first half of a surrogate pair that a cut may leave at the end. */
const halfCharacter = /\p{Surrogate}$/u;

const usual: Readonly<Record<WipeKind, string>> = {
  map: 'The map is wiped in {time}.',
  blueprints: 'Blueprints are wiped in {time}.',
  full: 'The whole server is wiped in {time}.',
};

/** Returns the announcements in sending order: one at the start of the countdown, then the standard times that fit. */
export function announcementsOf({
  kind,
  countdown_seconds: countdown,
  message = usual[kind],
}: Pick<Schemas['WipeRequest'], 'kind' | 'countdown_seconds' | 'message'>): WipeAnnouncement[] {
  if (countdown === 0) return [];
  return [countdown, ...classicSeconds.filter((seconds) => seconds < countdown)].map((before_seconds) => ({
    before_seconds,
    text: textOf(message, inWords(before_seconds)),
  }));
}

function textOf(message: string, time: string): string {
  const text = message.includes('{time}')
    ? message.replaceAll('{time}', () => time)
    : `${message} (in ${time})`;
  return text.slice(0, maxTextLength).replace(halfCharacter, '');
}

/** Formats a duration in words, for example "1 hour 30 minutes". */
export function inWords(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}

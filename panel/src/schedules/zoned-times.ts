// Times with their weekday in a time zone that need not be the viewer's.
import { useMemo } from 'react';
import { localeOf } from '../texts/languages.ts';
import { useLanguage } from '../texts/texts.ts';

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useZonedTime(timeZone: string): (at: string) => string {
  const language = useLanguage();
  return useMemo(() => {
    const options = {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    } as const;
    const format = new Intl.DateTimeFormat(localeOf(language), {
      ...options,
      ...(isKnown(timeZone) && { timeZone }),
    });
    return (at) => format.format(new Date(at));
  }, [language, timeZone]);
}

/** The browser's database of time zones can be older than the platform's. */
function isKnown(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** UTC and the viewer's own zone stand first. */
export const timeZones = (): string[] => [
  ...new Set(['UTC', viewerZone(), ...Intl.supportedValuesOf('timeZone')]),
];

// Types of events in words, and what an event says.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../api/operations.ts';

export type LoggedEvent = Schemas['Event'];

export interface EventWords {
  /** The part of a type before its dot, such as "Orders". */
  area: (area: string) => string;
  /** What happens when an event of the type occurs. */
  type: (type: string) => string;
  /** What happened. */
  sentence: (event: Pick<LoggedEvent, 'type' | 'data'>) => string;
  /** A type, `area.*` or `*`. */
  pattern: (pattern: string) => string;
}

/** Fields of events whose values are enumerations of the contract. */
const enumerations: ReadonlySet<string> = new Set(['kind', 'status', 'severity', 'from', 'to']);

export const areaOf = (type: string): string => type.split('.')[0] ?? type;

/** Types that are newer than this panel are shown by their names. */
export function useEventWords(): EventWords {
  const { t, i18n } = useTranslation('event-types');
  return useMemo(() => {
    // The keys are the types of the catalogue, which the compiler does not know.
    const text = (key: string, ns: 'event-types' | 'instance' | 'common' = 'event-types'): string | null =>
      i18n.exists(key, { ns })
        ? (t as unknown as (key: string, options: object) => string)(key, { ns, skipInterpolation: true })
        : null;
    const area = (name: string) => text(`areas.${name}`) ?? name;
    const type = (name: string) => text(`types.${name}`) ?? name;
    /** Values of enumerations, such as the kind of an alert. */
    const worded = (data: LoggedEvent['data']): LoggedEvent['data'] =>
      Object.fromEntries(
        Object.entries(data).map(([field, value]) => [
          field,
          enumerations.has(field) && typeof value === 'string' ? (text(`words.${value}`) ?? value) : value,
        ]),
      );
    const inWords = ({ verb, ...data }: LoggedEvent['data']): LoggedEvent['data'] => {
      if (typeof verb !== 'string') return worded(data);
      // A cancelled command has failed with an error of its own.
      const status = data['error_code'] === 'cancelled' ? 'cancelled' : data['status'];
      return {
        ...data,
        verb: text(`kinds.${verb}`, 'instance') ?? verb,
        ...(typeof status === 'string' && {
          status: text(`commandStatus.${status}`, 'common') ?? status,
        }),
      };
    };
    return {
      area,
      type,
      sentence: ({ type: name, data }) => filled(text(`sentences.${name}`) ?? type(name), inWords(data)),
      pattern: (pattern) => {
        if (pattern === '*') return text('everything') ?? pattern;
        return pattern.endsWith('.*') ? area(areaOf(pattern)) : type(pattern);
      },
    };
  }, [t, i18n]);
}

/** Fills the fields of a sentence in; unknown values are a dash. */
function filled(sentence: string, data: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{\{([\w.]+)\}\}/g, (_, path: string, offset: number) => {
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], data);
    if (typeof value !== 'string' && typeof value !== 'number') return '–';
    const word = String(value);
    // Names keep their spelling.
    return offset === 0 && enumerations.has(path) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  });
}

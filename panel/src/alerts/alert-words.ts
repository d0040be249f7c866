// What an alert says, in the language of the panel.
import { useMemo } from 'react';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { alertKinds, type Alert } from './alert-search.ts';

export interface AlertWords {
  kind: (kind: Alert['kind']) => string;
  headline: (alert: Alert) => string;
  message: (alert: Alert) => string;
  /** Open, or why it ended. */
  state: (alert: Alert) => string;
}

/** The figures that the sentences of all kinds name. */
type Figure =
  | 'agent_version'
  | 'crash_count'
  | 'crashed_at'
  | 'drop_percent'
  | 'fps'
  | 'last_heartbeat_at'
  | 'minimum_version'
  | 'players_before'
  | 'players_now'
  | 'threshold_fps'
  | 'threshold_percent'
  | 'threshold_seconds'
  | 'used_percent'
  | 'window_minutes';

const endReasons = ['recovered', 'settled', 'turned_off', 'gone'] as const;

/** Kinds and reasons that are newer than this panel are shown as the platform words them. */
export function useAlertWords(): AlertWords {
  const t = useTexts('alerts');
  const formats = useFormats();
  return useMemo(() => {
    const isKnown = (kind: Alert['kind']) => (alertKinds as readonly string[]).includes(kind);
    const figure = (value: unknown): string => {
      if (typeof value === 'number') return formats.number(value);
      return typeof value === 'string' ? value : '';
    };
    const time = (value: unknown) => (typeof value === 'string' ? formats.dateTime(value) : figure(value));
    return {
      kind: (kind) => (isKnown(kind) ? t(`kinds.${kind}`) : kind),
      headline: ({ kind, subject_name }) =>
        isKnown(kind) ? t(`headlines.${kind}`, { name: subject_name }) : `${kind}: ${subject_name}`,
      message: ({ kind, message, metadata }) => {
        if (!isKnown(kind)) return message;
        const figures = Object.fromEntries(
          Object.entries(metadata).map(([name, value]) => [
            name,
            name.endsWith('_at') ? time(value) : figure(value),
          ]),
        ) as Record<Figure, string>;
        if (kind === 'clock_wrong') {
          const offset = Number(metadata['offset_seconds']);
          const values = { ...figures, seconds: formats.number(Math.abs(offset)) };
          return offset < 0 ? t('messages.clock_behind', values) : t('messages.clock_ahead', values);
        }
        if (kind === 'instance_crashed' && metadata['crash_count'] !== undefined)
          return t('messages.crashed_again', figures);
        return t(`messages.${kind}`, figures);
      },
      state: ({ ended_at, end_reason }) => {
        if (ended_at === null) return t('state.open');
        return t(`state.${endReasons.find((reason) => reason === end_reason) ?? 'other'}`);
      },
    };
  }, [t, formats]);
}

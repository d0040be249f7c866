// What a schedule does, in words.
import { useCallback } from 'react';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import type { Action } from './schedule.ts';

export function useActionWords(): (action: Action) => string {
  const t = useTexts('schedules');
  const wipes = useTexts('wipes');
  const formats = useFormats();
  return useCallback(
    (action) => {
      switch (action.kind) {
        case 'announcement':
          return t('words.announcement', { message: action.message });
        case 'backup':
          return t('words.backup', { count: action.keep_last });
        case 'command':
          return t('words.command', { line: action.line });
        case 'plugin_reload':
          return t('words.plugin_reload', { plugin: action.plugin });
        case 'restart':
        case 'stop': {
          const [longest] = action.countdown?.announce_before_seconds ?? [];
          const kind = t(`kinds.${action.kind}`);
          return longest === undefined
            ? kind
            : t('words.withCountdown', { kind, time: formats.duration(longest) });
        }
        case 'start':
          return t('kinds.start');
        case 'wipe': {
          const { kind, countdown_seconds = 0 } = action.wipe;
          const name = wipes(`kinds.${kind}`);
          return countdown_seconds === 0
            ? name
            : t('words.wipeAfter', { kind: name, time: formats.duration(countdown_seconds) });
        }
      }
    },
    [t, wipes, formats],
  );
}

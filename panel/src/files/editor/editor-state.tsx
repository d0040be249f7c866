// What an editor says about its file: whether it is saved, its language, its size and its faults.
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useFormats } from '../../shared/formats.ts';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './editor.module.css';
import { languageOf } from './extensions.ts';

export function SavedState({ isDirty, mayWrite }: { isDirty: boolean; mayWrite: boolean }) {
  const t = useTexts('files');
  if (!mayWrite) return <StateText tone="idle">{t('editor.readOnly')}</StateText>;
  return isDirty ? (
    <StateText tone="busy">{t('editor.unsaved')}</StateText>
  ) : (
    <StateText tone="good">{t('editor.saved')}</StateText>
  );
}

export function Foot({ file, content }: { file: Schemas['FileContent']; content: string }) {
  const t = useTexts('files');
  const formats = useFormats();
  const language = languageOf(file.path);
  const fault = useMemo(() => (language === 'json' ? jsonFault(content) : null), [language, content]);
  return (
    <div className={classes.foot}>
      <span>{t(`editor.languages.${language}`)}</span>
      <span>{formats.bytes(new Blob([content]).size)}</span>
      <span>
        {t('columns.modified')} <Time at={file.modified_at} />
      </span>
      {fault !== null && (
        <span role="status" className={classes.fault}>
          {t('editor.invalidJson', { fault })}
        </span>
      )}
    </div>
  );
}

/** The game server would not read such a file. */
function jsonFault(text: string): string | null {
  if (text.trim() === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

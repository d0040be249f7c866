// The words of the editor's own parts, by the English ones that it is written with.
import { useMemo } from 'react';
import { useTexts } from '../../texts/texts.ts';

export function useEditorPhrases(): Record<string, string> {
  const t = useTexts('files');
  return useMemo(
    () => ({
      Find: t('editor.phrases.find'),
      Replace: t('editor.phrases.replace'),
      next: t('editor.phrases.next'),
      previous: t('editor.phrases.previous'),
      all: t('editor.phrases.all'),
      'match case': t('editor.phrases.matchCase'),
      'by word': t('editor.phrases.byWord'),
      regexp: t('editor.phrases.regexp'),
      replace: t('editor.phrases.replaceOne'),
      'replace all': t('editor.phrases.replaceAll'),
      close: t('editor.phrases.close'),
      'Fold line': t('editor.phrases.fold'),
      'Unfold line': t('editor.phrases.unfold'),
      '$ unchanged lines': t('editor.phrases.unchanged'),
      'Revert this chunk': t('editor.phrases.revert'),
    }),
    [t],
  );
}

// Chooses the language of the panel.
import { NativeSelect } from '@mantine/core';
import { languages, type Language } from '../texts/languages.ts';
import { changeLanguage, useLanguage, useTexts } from '../texts/texts.ts';

export function LanguageSelect() {
  const t = useTexts('shell');
  const language = useLanguage();
  return (
    <NativeSelect
      aria-label={t('account.language')}
      value={language}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      onChange={(event) => void changeLanguage(event.currentTarget.value as Language)}
    />
  );
}

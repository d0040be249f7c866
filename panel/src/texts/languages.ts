// The languages of the panel, and which of them this browser prefers.
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

const storageKey = 'gantry-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && Object.hasOwn(languages, value);

/** The chosen language, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const chosen = window.localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const wanted = navigator.languages.map((tag) => tag.split('-')[0]);
  return wanted.find(isLanguage) ?? 'en';
}

/** Calls back with the language that another tab has chosen. */
export function onRememberedLanguage(changed: (language: Language) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) changed(newValue);
  });
}

export const rememberLanguage = (language: Language): void =>
  window.localStorage.setItem(storageKey, language);

/** The browser's own regional form of a language, so that dates and numbers look as they do elsewhere. */
export const localeOf = (language: string): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;

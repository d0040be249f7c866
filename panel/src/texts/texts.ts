// The catalogue of texts: one file for each language and area, loaded when a route needs it.
import i18next, { type BackendModule, type Namespace, type ResourceKey } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { onRememberedLanguage, preferredLanguage, rememberLanguage, type Language } from './languages.ts';

const files = import.meta.glob<ResourceKey>('./{en,de}/*.json', { import: 'default' });

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`./${language}/${namespace}.json`];
    if (load === undefined) return done(new Error(`no texts ${language}/${namespace}`), null);
    load().then(
      (texts) => done(null, texts),
      (error: unknown) => done(error as Error, null),
    );
  },
};

/** Loads the texts that every page needs. */
export async function startTexts(): Promise<void> {
  const lng = preferredLanguage();
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng,
      fallbackLng: 'en',
      load: 'languageOnly',
      ns: ['common', 'shell'],
      defaultNS: 'common',
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  document.documentElement.lang = lng;
  onRememberedLanguage((language) => void showLanguage(language));
  // For errors, which may come when nothing more can be loaded.
  void loadTexts('problems', 'permissions');
}

/** For the loaders of routes, so that a page appears with its texts. */
export const loadTexts = (...areas: string[]): Promise<void> => i18next.loadNamespaces(areas);

export async function changeLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  rememberLanguage(language);
}

async function showLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** The texts of one area. */
export function useTexts<Area extends Namespace & string>(area: Area) {
  return useTranslation(area).t;
}

export const useLanguage = (): Language => useTranslation().i18n.language as Language;

// Problems of the platform, which writes English, in the language of the panel.
import type { Problem } from '@gantry/client';
import i18next from 'i18next';

/** Codes without words here have the platform's own. */
export function problemWords({ code, title, detail }: Problem): { title: string; detail: string } {
  const { t, language } = i18next;
  const names = code === 'forbidden' ? permissionNames(detail) : [];
  const own = { title: t(`problems:titles.${code}`, { defaultValue: title }) };
  if (names.length > 0) return { ...own, detail: t('problems:permissions', { names: names.join(', ') }) };
  // The platform's detail says more about the case; in English it needs no translation.
  if (language === 'en') return { title, detail };
  return { ...own, detail: t(`problems:details.${code as 'internal'}`, { defaultValue: detail }) };
}

/** As the list of permissions of a role names them. */
function permissionNames(detail: string): string[] {
  if (!i18next.hasLoadedNamespace('permissions')) return [];
  return [...detail.matchAll(/\b([a-z]+)\.([a-z]+)\b/g)].map(([permission, area = '', action = '']) => {
    const name = i18next.t(`permissions:areas.${area as 'console'}`, { defaultValue: '' });
    const what = i18next.t(`permissions:actions.${action as 'view'}`, { defaultValue: '' });
    return name === '' || what === '' ? permission : `${name}: ${what}`;
  });
}

// Problems of the platform, which writes English, in the language of the panel.
import type { Problem } from '@gantry/client';
import i18next from 'i18next';
import { permissionName } from '../permissions/permission-name.ts';

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

const permissionNames = (detail: string): string[] =>
  [...detail.matchAll(/\b[a-z]+\.[a-z]+\b/g)].map(([permission]) => permissionName(permission));

// A permission in words, as the list of a role's permissions names it.
import i18next from 'i18next';

/** Those of a later version, and all before their texts are loaded, keep their names of the API. */
export function permissionName(permission: string): string {
  const [area = '', action = ''] = permission.split('.');
  const name = i18next.t(`permissions:areas.${area as 'console'}`, { defaultValue: '' });
  const what = i18next.t(`permissions:actions.${action as 'view'}`, { defaultValue: '' });
  return name === '' || what === '' ? permission : `${name}: ${what}`;
}

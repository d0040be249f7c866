// Keeps the secrets of the automation out of responses, and stored over changes that have them hidden.
import type { components } from '../../../generated/local-manager.d.ts';
import { hiddenMark } from '../security/secrets.ts';

export type Settings = Required<components['schemas']['Automation']>;

const hidden = (secret: string | null): string | null => (secret === null ? null : hiddenMark);

/** For responses. */
export function withoutSecrets(settings: Settings): Settings {
  const { notifications, warnings } = settings;
  const { mail = null } = notifications;
  return {
    ...settings,
    notifications: {
      ...notifications,
      mail: mail === null ? null : { ...mail, password: hidden(mail.password) },
    },
    warnings: { ...warnings, authToken: hidden(warnings.authToken) },
  };
}

/** A secret that is still hidden keeps its stored value. */
export function withStoredSecrets(changed: Settings, stored: Settings): Settings {
  const { notifications, warnings } = changed;
  const { mail = null } = notifications;
  const kept = (secret: string | null, before: string | null) => (secret === hiddenMark ? before : secret);
  const password = mail === null ? null : kept(mail.password, stored.notifications.mail?.password ?? null);
  return {
    ...changed,
    notifications: { ...notifications, mail: mail === null ? null : { ...mail, password } },
    warnings: { ...warnings, authToken: kept(warnings.authToken, stored.warnings.authToken) },
  };
}

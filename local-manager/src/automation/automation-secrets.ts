// Keeps the secrets of the automation out of responses, and stored over changes that have them hidden.
import type { components } from '../../../generated/local-manager.d.ts';
import { refusalAt } from '../refusals.ts';
import { hiddenMark } from '../security/secrets.ts';
import { requestTo, withoutPassword, withStoredPassword } from '../web-addresses.ts';

export type Settings = Required<components['schemas']['Automation']>;

type Notifications = Settings['notifications'];

const hidden = (secret: string | null): string | null => (secret === null ? null : hiddenMark);

const shown = (address: string | null): string | null => (address === null ? null : withoutPassword(address));

/** For responses. */
export function withoutSecrets(settings: Settings): Settings {
  const { notifications, warnings } = settings;
  const { mail = null } = notifications;
  return {
    ...settings,
    notifications: {
      webhookUrl: shown(notifications.webhookUrl),
      ntfyUrl: shown(notifications.ntfyUrl),
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
    notifications: {
      webhookUrl: addressOf('webhookUrl', notifications, stored.notifications),
      ntfyUrl: addressOf('ntfyUrl', notifications, stored.notifications),
      mail: mail === null ? null : { ...mail, password },
    },
    warnings: { ...warnings, authToken: kept(warnings.authToken, stored.warnings.authToken) },
  };
}

/** Refuses an address that no request could be sent to. */
function addressOf(
  name: 'webhookUrl' | 'ntfyUrl',
  changed: Notifications,
  stored: Notifications,
): string | null {
  const text = changed[name];
  if (text === null) return null;
  const address = withStoredPassword(text, stored[name]);
  const wrong = (detail: string) => refusalAt('invalid_setting', `/notifications/${name}`, detail);
  if (address === null)
    throw wrong('The stored password belongs to another address or user: enter it again.');
  if (requestTo(address) === null)
    throw wrong('The address cannot be used: write it as https://host/path, with a percent sign as %25.');
  return address;
}

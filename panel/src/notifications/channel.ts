// A notification channel as a form edits it.
import type { Schemas } from '../api/operations.ts';

export type Channel = Schemas['NotificationChannel'];
export type ChannelKind = Channel['kind'];
export type Target = Schemas['NotificationTarget'];

export const channelKinds = [
  'chat_webhook',
  'email',
  'ntfy',
  'pushover',
] as const satisfies readonly ChannelKind[];

/** The fields of a target by name; each kind has some of them. */
export type TargetFields = Readonly<
  Record<'url' | 'address' | 'server' | 'topic' | 'token' | 'user', string>
>;

export const noTarget: TargetFields = {
  url: '',
  address: '',
  server: 'https://ntfy.sh',
  topic: '',
  token: '',
  user: '',
};

export function targetOf(kind: ChannelKind, given: TargetFields): Target {
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.trim()]),
  ) as TargetFields;
  switch (kind) {
    case 'chat_webhook':
      return { kind, url: fields.url };
    case 'email':
      return { kind, address: fields.address };
    case 'ntfy':
      return {
        kind,
        server: fields.server,
        topic: fields.topic,
        ...(fields.token !== '' && { token: fields.token }),
      };
    case 'pushover':
      return { kind, token: fields.token, user: fields.user };
  }
}

/** JSON pointers of the fields that forms mark. */
export const pointers: readonly string[] = [
  '/name',
  '/least_severity',
  '/template',
  ...Object.keys(noTarget).map((name) => `/target/${name}`),
];

/** Names that a template may contain. */
export const templateFields = [
  'title',
  'message',
  'status',
  'severity',
  'kind',
  'subject',
  'host',
  'license',
  'raised_at',
  'ended_at',
  'alert_id',
] as const;

export type ChannelState = 'working' | 'failing' | 'unused' | 'disabled' | 'incomplete';

/** Whether alerts arrive, as far as the last attempts show. */
export function stateOf({ destination, is_enabled, last_success_at, last_error_at }: Channel): ChannelState {
  if (destination === null) return 'incomplete';
  if (!is_enabled) return 'disabled';
  if (last_error_at !== null && (last_success_at === null || last_error_at > last_success_at))
    return 'failing';
  return last_success_at === null ? 'unused' : 'working';
}

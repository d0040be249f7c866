// Builds the requests that carry notifications to chats and push services.
import type { OutboundRequest } from '../../outbound/outbound.ts';
import { shortened, type Message, type Severity } from './message.ts';
import type { Target } from './targets.ts';

export const pushoverUrl = 'https://api.pushover.net/1/messages.json';

/** The request to send; the sender sets its timeout. */
export type NotificationRequest = Pick<OutboundRequest, 'url' | 'headers' | 'body'>;

export type HttpTarget = Exclude<Target, { kind: 'email' }>;

export function requestFor(
  target: HttpTarget,
  message: Message,
  { id, pushover = pushoverUrl }: { id: string; pushover?: string | undefined },
): NotificationRequest {
  const headers = { 'idempotency-key': id, 'user-agent': 'Gantry-Notifications' };
  const json = { ...headers, 'content-type': 'application/json' };
  switch (target.kind) {
    case 'chat_webhook':
      return { url: target.url, headers: json, body: JSON.stringify(chatBody(message)) };
    case 'ntfy': {
      const authorization = target.token === undefined ? {} : { authorization: `Bearer ${target.token}` };
      const body = JSON.stringify({ topic: target.topic, ...ntfyBody(message) });
      return { url: target.server, headers: { ...json, ...authorization }, body };
    }
    case 'pushover':
      return {
        url: pushover,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          token: target.token,
          user: target.user,
          ...pushoverFields(message),
        }).toString(),
      };
  }
}

const colours: Readonly<Record<Severity, number>> = { Info: 0x3b82f6, Warning: 0xf59e0b, Critical: 0xdc2626 };
const recoveredColour = 0x16a34a;

/** All mentions are disabled, so that a mention that escapes neutralisation notifies no user. */
const chatBody = ({ title, text, event, severity, at }: Message) => ({
  allowed_mentions: { parse: [] },
  embeds: [
    {
      title: shortened(title, 256),
      description: shortened(text, 4_000),
      color: event === 'recovered' ? recoveredColour : colours[severity],
      timestamp: at,
    },
  ],
});

const ntfyPriorities: Readonly<Record<Severity, number>> = { Info: 2, Warning: 3, Critical: 5 };

const ntfyBody = ({ title, text, event, severity }: Message) => ({
  title: shortened(title, 250),
  message: shortened(text, 1_300),
  priority: event === 'raised' ? ntfyPriorities[severity] : 2,
});

const pushoverPriorities: Readonly<Record<Severity, string>> = { Info: '-1', Warning: '0', Critical: '1' };

const pushoverFields = ({ title, text, event, severity, at }: Message) => ({
  title: shortened(title, 250),
  message: shortened(text, 1_024),
  priority: event === 'raised' ? pushoverPriorities[severity] : '-1',
  timestamp: String(Math.floor(Date.parse(at) / 1000)),
});

// Sends messages to all players over the game's own message queue.
import { randomUUID } from 'node:crypto';
import type { Guest } from '../guest-shell/guest.ts';
import { refusal } from '../refusals.ts';
import type { Battlegroups } from './battlegroups.ts';

const title = 'Server';
const shownSeconds = 30;

/** Hands its input, an Erlang expression, to the queue's pod. The game's servers read messages from that queue. */
const script = `
pod=$(sudo -n kubectl --request-timeout=8s get pods -n "$1" -o name | grep -e '-mq-game-sts-0$' | head -n 1)
[ -n "$pod" ] || { echo 'the message queue of the game does not run' >&2; exit 1; }
exec sudo -n kubectl exec -i -n "$1" "$pod" -- sh -c 'PATH="/opt/rabbitmq/sbin:/opt/erlang/lib/erlang/bin:$PATH" exec rabbitmqctl eval "$(cat)"'
`;

export class Announcements {
  readonly #guest: Guest;
  readonly #battlegroups: Battlegroups;

  constructor(guest: Guest, battlegroups: Battlegroups) {
    this.#guest = guest;
    this.#battlegroups = battlegroups;
  }

  /** Throws a refusal unless the queue took it. Whether the game shows it is not reported. */
  async send(text: string, authToken: string | null): Promise<{ text: string }> {
    if (authToken === null)
      throw refusal(
        'invalid_setting',
        'The token for messages to players is not set: enter it on the page “Automation”.',
      );
    const shell = await this.#guest.open();
    const { namespace } = await this.#battlegroups.only(shell);
    const printed = await shell.read({ script, values: [namespace], input: publication(text, authToken) });
    if (!/^ok$/m.test(printed))
      throw refusal(
        'guest_failed',
        `The message queue did not take the message: ${printed.trim().slice(0, 200)}`,
      );
    return { text };
  }
}

/** The message in base64 holds no character that Erlang or a shell would interpret. */
export function publication(text: string, authToken: string): string {
  const content = {
    ServerCommand: 'ServiceBroadcast',
    BroadcastType: 'Generic',
    BroadcastPayload: {
      BroadcastDuration: shownSeconds,
      LocalizedText: ['en', 'en-US'].map((key) => ({ Key: key, Title: title, Body: text })),
    },
  };
  const message = { Version: 2, AuthToken: authToken, MessageContent: JSON.stringify(content) };
  const encoded = Buffer.from(JSON.stringify(message)).toString('base64');
  const unset = 'undefined';
  // Content type, encoding, headers, delivery mode, priority, correlation, reply-to, expiration, ID, timestamp, type,
  // user, application, cluster.
  const properties = [
    ...['<<"Content">>', unset, '[]', unset, unset, unset, unset, unset],
    ...[`<<"gantry-${randomUUID()}">>`, unset, unset, '<<"fls">>', '<<"fls_backend">>', unset],
  ];
  return [
    `Exchange = rabbit_misc:r(<<"/">>, exchange, <<"heartbeats">>)`,
    `Content = rabbit_basic:build_content({'P_basic', ${properties.join(', ')}}, base64:decode(<<"${encoded}">>))`,
    `{ok, Message} = rabbit_basic:message(Exchange, <<"notifications">>, Content)`,
    `rabbit_queue_type:publish_at_most_once(rabbit_exchange:lookup_or_die(Exchange), Message).`,
  ].join(', ');
}

// The subjects of the message bus; nothing else in the platform spells one.
import type { CommandVerb, RequestVerb, UpKind } from '../platform-contract/bus-types.ts';

/** What replicas tell each other. */
export type InternalTopic = 'access-changed' | 'command-ended';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export class Subjects {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get prefix(): string {
    return this.#prefix;
  }

  command(hostId: string, verb: CommandVerb): string {
    return `${this.#prefix}.${checked(hostId)}.cmd.${verb}`;
  }

  request(hostId: string, verb: RequestVerb): string {
    return `${this.#prefix}.${checked(hostId)}.ask.${verb}`;
  }

  /** A kind of message from any host. */
  fromHosts(kind: UpKind): string {
    return `${this.#prefix}.*.up.${kind}`;
  }

  console(hostId: string, instance: string): string {
    return `${this.#prefix}.${checked(hostId)}.up.console.${instance}`;
  }

  /** Talk between the platform's replicas; no agent's credentials reach it. */
  internal(topic: InternalTopic): string {
    return `${this.#prefix}_internal.${topic}`;
  }

  /** The host that a subject names, which the broker has made sure is the sender. */
  hostOf(subject: string): string | undefined {
    const host = subject.split('.')[1];
    return host !== undefined && uuid.test(host) ? host : undefined;
  }

  /** Where an agent of that host may be answered; a reply subject outside is somebody else's inbox. */
  inbox(hostId: string): string {
    return `_INBOX_A.${checked(hostId)}.`;
  }
}

function checked(hostId: string): string {
  if (!uuid.test(hostId)) throw new Error('a host id is a UUID');
  return hostId;
}

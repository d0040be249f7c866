// The subjects of the message bus; nothing else in the platform spells one.
import type { CommandVerb, RequestVerb, UpKind } from '../platform-contract/bus-types.ts';
import { formats } from '../values/formats.ts';

/** Topics between replicas. */
export type InternalTopic = 'access-changed' | 'command-ended';

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

  /** Every command for the host. */
  commandsOf(hostId: string): string {
    return `${this.#prefix}.${checked(hostId)}.cmd.*`;
  }

  /** Every request to the host. */
  requestsOf(hostId: string): string {
    return `${this.#prefix}.${checked(hostId)}.ask.*`;
  }

  /** A message of that kind from the host. */
  fromHost(hostId: string, kind: UpKind): string {
    return `${this.#prefix}.${checked(hostId)}.up.${kind}`;
  }

  /** Messages of that kind from every host. */
  fromHosts(kind: UpKind): string {
    return `${this.#prefix}.*.up.${kind}`;
  }

  console(hostId: string, instance: string): string {
    return `${this.#prefix}.${checked(hostId)}.up.console.${instance}`;
  }

  /** A topic between the platform's replicas; no agent's credentials allow it. */
  internal(topic: InternalTopic): string {
    return `${this.#prefix}_internal.${topic}`;
  }

  /** The host in a subject; the broker guarantees that it is the sender. */
  hostOf(subject: string): string | undefined {
    const host = subject.split('.')[1];
    return host !== undefined && formats.uuid(host) ? host : undefined;
  }

  /** The inbox prefix for replies to that host's agent; any other reply subject belongs to another client. */
  inbox(hostId: string): string {
    return `_INBOX_A.${checked(hostId)}.`;
  }
}

function checked(hostId: string): string {
  if (!formats.uuid(hostId)) throw new Error('a host id is a UUID');
  return hostId;
}

// The subjects of the message bus; nothing else in the platform spells one.
import type { CommandVerb } from '../platform-contract/bus-types.ts';

/** What an agent can be asked right now. */
export type QuestionVerb =
  | 'console-tail'
  | 'console-input'
  | 'players'
  | 'plugins'
  | 'plugin-copies'
  | 'wipe-plan'
  | 'presence'
  | FileVerb
  | 'file-chunk';
/** What can be asked about files in one message. */
export type FileVerb =
  `file-${'list' | 'stat' | 'read' | 'write' | 'make-directory' | 'rename' | 'delete' | 'download' | 'upload' | 'upload-plugin' | 'upload-plugin-file' | 'finish' | 'end'}`;

/** What replicas tell each other. */
export type InternalTopic = 'access-changed' | 'command-ended';

/** What agents send. */
export const upKinds = [
  'hello',
  'heartbeat',
  'instance-state',
  'command-result',
  'wipe-status',
  'backups',
  'managed-instances',
  'bye',
] as const;
export type UpKind = (typeof upKinds)[number];

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

  question(hostId: string, verb: QuestionVerb): string {
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

// Builds and recognises the subjects that belong to this host; no subject is written anywhere else.
import {
  commandArguments,
  isFileVerb,
  requests,
  type CommandVerb,
  type FileVerb,
  type RequestVerb,
  type UpKind,
} from '../../../generated/agent-bus.protocol.ts';

/** The verbs of requests that do not concern files. */
export type InstanceVerb = Exclude<RequestVerb, FileVerb>;

const isCommandVerb = (verb: string): verb is CommandVerb => Object.hasOwn(commandArguments, verb);
const isRequestVerb = (verb: string): verb is RequestVerb => Object.hasOwn(requests, verb);

export class Subjects {
  readonly #base: string;
  readonly inboxPrefix: string;

  constructor(prefix: string, hostId: string) {
    this.#base = `${prefix}.${hostId}`;
    this.inboxPrefix = `_INBOX_A.${hostId}`;
  }

  get commands(): string {
    return `${this.#base}.cmd.*`;
  }
  get requests(): string {
    return `${this.#base}.ask.*`;
  }

  up(kind: UpKind): string {
    return `${this.#base}.up.${kind}`;
  }

  console(instance: string): string {
    return `${this.#base}.up.console.${instance}`;
  }

  /** The verb of a command that came on exactly one of this host's command subjects, else null. */
  commandVerb(subject: string): CommandVerb | null {
    const verb = this.#lastToken(subject, 'cmd');
    return isCommandVerb(verb) ? verb : null;
  }

  /** The verb of a request that came on exactly one of this host's request subjects, else null. */
  requestVerb(subject: string): RequestVerb | null {
    const verb = this.#lastToken(subject, 'ask');
    return isRequestVerb(verb) ? verb : null;
  }

  fileVerb(subject: string): FileVerb | null {
    const verb = this.requestVerb(subject);
    return verb !== null && isFileVerb(verb) ? verb : null;
  }

  instanceVerb(subject: string): InstanceVerb | null {
    const verb = this.requestVerb(subject);
    return verb === null || isFileVerb(verb) ? null : verb;
  }

  #lastToken(subject: string, kind: 'cmd' | 'ask'): string {
    const prefix = `${this.#base}.${kind}.`;
    return subject.startsWith(prefix) ? subject.slice(prefix.length) : '';
  }
}

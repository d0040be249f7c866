// Builds and recognises the subjects that belong to this host; no subject is written anywhere else.
import {
  commandVerbs,
  requests,
  type CommandVerb,
  type RequestVerb,
  type UpKind,
} from '../../../generated/agent-bus.protocol.ts';

type FileRequests = {
  [Verb in RequestVerb]: (typeof requests)[Verb]['message'] extends 'FileQuestion' | 'FileChunk'
    ? Verb
    : never;
};
/** What is asked about files. */
export type FileVerb = FileRequests[RequestVerb];
/** Everything else that is asked. */
export type QuestionVerb = Exclude<RequestVerb, FileVerb>;

const isFileVerb = (verb: RequestVerb): verb is FileVerb => verb.startsWith('file-');
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
  get questions(): string {
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
    return commandVerbs.find((verb) => subject === `${this.#base}.cmd.${verb}`) ?? null;
  }

  questionVerb(subject: string): QuestionVerb | null {
    const verb = this.#requestVerb(subject);
    return verb === undefined || isFileVerb(verb) ? null : verb;
  }

  fileVerb(subject: string): FileVerb | null {
    const verb = this.#requestVerb(subject);
    return verb !== undefined && isFileVerb(verb) ? verb : null;
  }

  #requestVerb(subject: string): RequestVerb | undefined {
    const prefix = `${this.#base}.ask.`;
    const verb = subject.startsWith(prefix) ? subject.slice(prefix.length) : '';
    return isRequestVerb(verb) ? verb : undefined;
  }
}

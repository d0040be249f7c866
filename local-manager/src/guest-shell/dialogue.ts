// Replies to the prompts of a program in the virtual machine by their text.
import { refusal } from '../refusals.ts';

export interface Prompt {
  /** Whether the last, incomplete line is the prompt; `printed` is all output since the last reply. */
  asks: (last: string, printed: string) => boolean;
  /** Undefined if there is no reply; the dialogue then ends. */
  reply: (printed: string) => string | undefined;
  /** A prompt repeated more often than this means that the reply was not accepted. */
  maxTimes: number;
  name: string;
}

const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\r/g;
const maxKept = 8_000;

export class Dialogue {
  readonly #prompts: readonly Prompt[];
  readonly #asked = new Map<string, number>();
  #printed = '';
  /** Why the dialogue cannot continue; undefined while it can. */
  failure: string | undefined;

  constructor(prompts: readonly Prompt[]) {
    this.#prompts = prompts;
  }

  /** The reply to the prompt at the end of the text; undefined if it ends with none. */
  hear(text: string): string | undefined {
    this.#printed = `${this.#printed}${text}`.replace(escapes, '').slice(-maxKept);
    const last = this.#printed.slice(this.#printed.lastIndexOf('\n') + 1);
    const prompt = this.#prompts.find(({ asks }) => asks(last, this.#printed));
    if (prompt === undefined || this.failure !== undefined) return undefined;
    const times = (this.#asked.get(prompt.name) ?? 0) + 1;
    this.#asked.set(prompt.name, times);
    const reply = times > prompt.maxTimes ? undefined : prompt.reply(this.#printed);
    if (reply === undefined) this.failure = `The setup asks for ${prompt.name} and accepts no input.`;
    this.#printed = '';
    return reply;
  }
}

/** Keeps input typed at the terminal out of the output. */
export const noEcho = 'stty -echo 2>/dev/null';

/** Replies to a program at its terminal until a prompt has no reply. */
export const replyTo =
  (dialogue: Dialogue, giveUp: AbortController) =>
  (text: string, reply: (line: string) => void): void => {
    const given = dialogue.hear(text);
    if (given !== undefined) reply(given);
    if (dialogue.failure !== undefined) giveUp.abort(refusal('guest_failed', dialogue.failure));
  };

/** The setup offers a retry after a failed download, which may be temporary; the limit prevents an endless loop. */
const maxRetries = 3;

/** Matches a last line in which every pattern is found. */
export const says =
  (...patterns: RegExp[]) =>
  (last: string): boolean =>
    patterns.every((pattern) => pattern.test(last));

/** Confirmations of any kind; a prompt for a whole word gets one. */
export const confirmations: Prompt[] = [
  { name: 'a retry', asks: says(/retry\?.*\[?y\/n\]?.*$/i), reply: () => 'y', maxTimes: maxRetries },
  {
    name: 'a confirmation in full',
    asks: says(/\byes\s*\/\s*no\b|\b(type|enter)\W+yes\b/i),
    reply: () => 'yes',
    maxTimes: 5,
  },
  { name: 'a confirmation', asks: says(/(\[y\/n\]|\(y\/n\)).*$/i), reply: () => 'y', maxTimes: 5 },
];

// Answers the questions of the vendor's setup by their text, because their order differs between packages.

import { refusal } from '../refusals.ts';

export interface Question {
  /** Whether the last, incomplete line asks the question; `printed` is all output since the last answer. */
  asks: (last: string, printed: string) => boolean;
  /** Undefined if there is no answer; the dialogue then ends. */
  answer: (printed: string) => string | undefined;
  /** A question asked more often than this means that the answer was not accepted. */
  most: number;
  name: string;
}

const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\r/g;
const maxKept = 8_000;

export class Dialogue {
  readonly #questions: readonly Question[];
  readonly #asked = new Map<string, number>();
  #printed = '';
  /** Why the dialogue cannot continue; undefined while it can. */
  failure: string | undefined;

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
  }

  /** The answer to the question at the end of the text; undefined if it ends with none. */
  hear(text: string): string | undefined {
    this.#printed = `${this.#printed}${text}`.replace(escapes, '').slice(-maxKept);
    const last = this.#printed.slice(this.#printed.lastIndexOf('\n') + 1);
    const question = this.#questions.find(({ asks }) => asks(last, this.#printed));
    if (question === undefined || this.failure !== undefined) return undefined;
    const times = (this.#asked.get(question.name) ?? 0) + 1;
    this.#asked.set(question.name, times);
    const answer = times > question.most ? undefined : question.answer(this.#printed);
    if (answer === undefined) this.failure = `The setup asks for ${question.name} and takes no answer.`;
    this.#printed = '';
    return answer;
  }
}

export interface Answers {
  worldName: string;
  regionLabel: string;
  token: string;
  playerIp: string;
}

/** Keeps input typed at the terminal out of the output. */
export const noEcho = 'stty -echo 2>/dev/null';

/** Answers a program at its terminal until a question has no answer. */
export const answering =
  (dialogue: Dialogue, giveUp: AbortController) =>
  (text: string, answer: (line: string) => void): void => {
    const given = dialogue.hear(text);
    if (given !== undefined) answer(given);
    if (dialogue.failure !== undefined) giveUp.abort(refusal('guest_failed', dialogue.failure));
  };

/** The setup offers a retry after a failed download, which may be temporary; the limit prevents an endless loop. */
const maxRetries = 3;

const says =
  (...patterns: RegExp[]) =>
  (last: string): boolean =>
    patterns.every((pattern) => pattern.test(last));

const open = /[:>?)\]]\s*$/;
const choosing = /\b(select|choice|choose|option|enter|number)\b/i;
const regionWords = /^(asia|europe|north america|oceania|south america)\b/i;
const modeWords = /^(public|private|manual)\b/i;

const hasMenu = (printed: string, words: RegExp) => menuOf(printed).some(([, text]) => words.test(text));

/** Confirmations of any kind; a question for a whole word gets one. */
export const confirmations: Question[] = [
  { name: 'a retry', asks: says(/retry\?.*\[?y\/n\]?.*$/i), answer: () => 'y', most: maxRetries },
  {
    name: 'a confirmation in full',
    asks: says(/\byes\s*\/\s*no\b|\b(type|enter)\W+yes\b/i),
    answer: () => 'yes',
    most: 5,
  },
  { name: 'a confirmation', asks: says(/(\[y\/n\]|\(y\/n\)).*$/i), answer: () => 'y', most: 5 },
];

/** Specific questions precede general ones: the first match is used. */
export function setupQuestions({ worldName, regionLabel, token, playerIp }: Answers): Question[] {
  const mode = playerIp === '' ? /^private\b/i : /^manual\b/i;
  return [
    ...confirmations,
    {
      name: 'the name of the world',
      asks: says(/\b(world|battlegroup|server|sietch)\b/i, /\bname\b/i, open),
      answer: () => worldName,
      most: 1,
    },
    {
      name: 'the way to the address of players',
      asks: (last, printed) =>
        open.test(last) &&
        hasMenu(printed, modeWords) &&
        !hasMenu(printed, regionWords) &&
        (choosing.test(last) || /\bmode\b/i.test(last)),
      answer: (printed) => numberOfChoice(printed, (text) => mode.test(text)),
      most: 1,
    },
    {
      name: 'the region',
      asks: (last, printed) =>
        open.test(last) &&
        (/\bregion\b/i.test(last) || (choosing.test(last) && hasMenu(printed, regionWords))),
      answer: (printed) =>
        numberOfChoice(printed, (text) => text.toLowerCase() === regionLabel.toLowerCase()),
      most: 1,
    },
    { name: 'the token', asks: says(/\btoken\b/i, /[:>?]\s*$/), answer: () => token, most: 1 },
    {
      name: 'the address of players',
      asks: says(/\b(ip|address)\b/i, /[:>?)]\s*$/),
      answer: () => playerIp,
      most: 2,
    },
  ];
}

/** The number of the meant entry in the printed menu; packages differ in their menus. */
function numberOfChoice(printed: string, isMeant: (text: string) => boolean): string | undefined {
  return menuOf(printed).find(([, text]) => isMeant(text))?.[0];
}

function menuOf(printed: string): [number: string, text: string][] {
  return printed.split('\n').flatMap((line): [string, string][] => {
    const [, number, text] = /^\s*\[?(\d+)[).\]:]+\s*(.+?)\s*$/.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [[number, text]];
  });
}

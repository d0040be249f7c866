// Answers the questions of the vendor's setup by what they say, for their order differs from package to package.

import { refusal } from '../refusals.ts';

export interface Question {
  /** Whether the last, open line asks it; all that was printed since the last answer is there to be looked at. */
  asks: (last: string, printed: string) => boolean;
  /** undefined when there is no answer: the dialogue is over then. */
  answer: (printed: string) => string | undefined;
  /** Asked more often than this, the answer was not taken. */
  most: number;
  name: string;
}

const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\r/g;
const maxKept = 8_000;

export class Dialogue {
  readonly #questions: readonly Question[];
  readonly #asked = new Map<string, number>();
  #printed = '';
  /** Why it can't go on; undefined while it can. */
  failure: string | undefined;

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
  }

  /** The answer to the question that the text ends with; undefined when it ends with none. */
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

/** Nothing that is typed at the terminal is to be seen in what is printed. */
export const noEcho = 'stty -echo 2>/dev/null';

/** Hears a program at its terminal and answers it, until there is no answer any more. */
export const answering =
  (dialogue: Dialogue, giveUp: AbortController) =>
  (text: string, answer: (line: string) => void): void => {
    const given = dialogue.hear(text);
    if (given !== undefined) answer(given);
    if (dialogue.failure !== undefined) giveUp.abort(refusal('guest_failed', dialogue.failure));
  };

/** A retry is offered when a download has failed, which passes; nobody wants to be asked forever. */
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

/** What is asked of anybody, whatever it is about; whoever asks for a whole word gets one. */
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

/** Narrow ones stand before wide ones: the first that fits is taken. */
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

/** The number beside what is meant in the menu that was printed; packages differ in their menus. */
function numberOfChoice(printed: string, isMeant: (text: string) => boolean): string | undefined {
  return menuOf(printed).find(([, text]) => isMeant(text))?.[0];
}

function menuOf(printed: string): [number: string, text: string][] {
  return printed.split('\n').flatMap((line): [string, string][] => {
    const [, number, text] = /^\s*\[?(\d+)[).\]:]+\s*(.+?)\s*$/.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [[number, text]];
  });
}

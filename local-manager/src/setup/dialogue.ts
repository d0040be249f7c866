// Answers the questions of the vendor's setup by what they say, for their order differs from package to package.

export interface Question {
  /** What the question says at the end of what was printed so far. */
  asks: RegExp;
  /** undefined when there is no answer: the dialogue is over then. */
  answer: (printed: string) => string | undefined;
  /** Asked more often than this, the answer was not taken. */
  most: number;
  name: string;
}

const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\r/g;
const mostKept = 8_000;

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
    this.#printed = `${this.#printed}${text}`.replace(escapes, '').slice(-mostKept);
    const last = this.#printed.slice(this.#printed.lastIndexOf('\n') + 1);
    const question = this.#questions.find(({ asks }) => asks.test(last));
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

/** A retry is offered when a download has failed, which passes; nobody wants to be asked forever. */
const mostRetries = 3;

export function setupQuestions({ worldName, regionLabel, token, playerIp }: Answers): Question[] {
  const choice = (label: string) => (printed: string) => numberOfChoice(printed, label);
  return [
    { name: 'a retry', asks: /retry\?.*\[?y\/n\]?.*$/i, answer: () => 'y', most: mostRetries },
    { name: 'a confirmation', asks: /(\[y\/n\]|\(y\/n\)|yes\/no).*$/i, answer: () => 'y', most: 5 },
    {
      name: 'the region',
      asks: /\b(region|select|choice|choose)\b.*[:>?)\]]\s*$/i,
      answer: choice(regionLabel),
      most: 1,
    },
    {
      name: 'the name of the world',
      asks: /\b(world|battlegroup|server)\b.*\bname\b.*[:>?]\s*$/i,
      answer: () => worldName,
      most: 1,
    },
    { name: 'the token', asks: /\btoken\b.*[:>?]\s*$/i, answer: () => token, most: 1 },
    { name: 'the address of players', asks: /\b(ip|address)\b.*[:>?]\s*$/i, answer: () => playerIp, most: 2 },
  ];
}

/** The number beside the label in the menu that was printed; packages differ in their menus. */
function numberOfChoice(printed: string, label: string): string | undefined {
  for (const line of printed.split('\n')) {
    const [, number, text] = /^\s*\[?(\d+)[).\]:]+\s*(.+?)\s*$/.exec(line) ?? [];
    if (text?.toLowerCase() === label.toLowerCase()) return number;
  }
  return undefined;
}

// The prompts of the vendor's setup, found by their text, because their order differs between packages.
import { confirmations, says, type Prompt } from '../guest-shell/dialogue.ts';

export interface SetupInput {
  worldName: string;
  regionLabel: string;
  token: string;
  playerIp: string;
}

const open = /[:>?)\]]\s*$/;
const choosing = /\b(select|choice|choose|option|enter|number)\b/i;
const regionWords = /^(asia|europe|north america|oceania|south america)\b/i;
const modeWords = /^(public|private|manual)\b/i;

const hasMenu = (printed: string, words: RegExp) => menuOf(printed).some(([, text]) => words.test(text));

/** Specific prompts precede general ones: the first match is used. */
export function setupPrompts({ worldName, regionLabel, token, playerIp }: SetupInput): Prompt[] {
  const mode = playerIp === '' ? /^private\b/i : /^manual\b/i;
  return [
    ...confirmations,
    {
      name: 'the world name',
      asks: says(/\b(world|battlegroup|server|sietch)\b/i, /\bname\b/i, open),
      reply: () => worldName,
      maxTimes: 1,
    },
    {
      name: 'the address mode',
      asks: (last, printed) =>
        open.test(last) &&
        hasMenu(printed, modeWords) &&
        !hasMenu(printed, regionWords) &&
        (choosing.test(last) || /\bmode\b/i.test(last)),
      reply: (printed) => numberOfChoice(printed, (text) => mode.test(text)),
      maxTimes: 1,
    },
    {
      name: 'the region',
      asks: (last, printed) =>
        open.test(last) &&
        (/\bregion\b/i.test(last) || (choosing.test(last) && hasMenu(printed, regionWords))),
      reply: (printed) => numberOfChoice(printed, (text) => text.toLowerCase() === regionLabel.toLowerCase()),
      maxTimes: 1,
    },
    { name: 'the token', asks: says(/\btoken\b/i, /[:>?]\s*$/), reply: () => token, maxTimes: 1 },
    {
      name: 'the address for players',
      asks: says(/\b(ip|address)\b/i, /[:>?)]\s*$/),
      reply: () => playerIp,
      maxTimes: 2,
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

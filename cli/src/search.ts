// Finds operations by what a person would type.
import type { Contract, Operation } from './contract.ts';

/** Words that users say, and the word of the contract. */
const synonyms: Record<string, string[]> = {
  login: ['sign', 'in'],
  logout: ['sign', 'out'],
  server: ['instance'],
  restart: ['restart', 'start'],
  token: ['key'],
  shop: ['store'],
  user: ['member', 'user'],
  log: ['audit', 'console'],
  mod: ['plugin'],
  kick: ['kick', 'player'],
  boot: ['start'],
  shutdown: ['stop'],
};

const weights = { id: 6, tag: 3, summary: 4, path: 2, description: 1 } as const;

/** Operations that fit all words best first; with no words, all of them. */
export function search(contract: Contract, query: string, limit = 20): Operation[] {
  const words = wordsOf(query);
  const all = [...contract.operations.values()];
  const exact = contract.operations.get(query.trim());
  if (words.length === 0) return all.slice(0, limit);
  const index = all.map((operation) => ({ operation, texts: textsOf(operation) }));
  const rarity = new Map(
    words.map((word) => {
      const count = index.filter(({ texts }) =>
        Object.values(texts).some((text) => hits(text, word) > 0),
      ).length;
      return [word, Math.log(1 + all.length / (1 + count))];
    }),
  );
  const scored = index.map(({ operation, texts }) => ({
    operation,
    score:
      operation === exact
        ? Infinity
        : sum(words.map((word) => scoreOf(texts, word) * (rarity.get(word) ?? 1))),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.operation.id.length - other.operation.id.length)
    .slice(0, limit)
    .map(({ operation }) => operation);
}

type Texts = Record<keyof typeof weights, string[]>;

function textsOf({ id, tag, summary, path, description }: Operation): Texts {
  return {
    id: wordsOf(id),
    tag: wordsOf(tag),
    summary: wordsOf(summary),
    path: wordsOf(path),
    description: wordsOf(description),
  };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

function scoreOf(texts: Texts, word: string): number {
  const names = Object.keys(weights) as (keyof typeof weights)[];
  const direct = sum(names.map((name) => weights[name] * hits(texts[name], word)));
  const others = (synonyms[word] ?? []).filter((other) => other !== word);
  const indirect = Math.max(
    0,
    ...others.map((other) => sum(names.map((name) => weights[name] * hits(texts[name], other)))),
  );
  return Math.max(direct, indirect * 0.6);
}

/** 1 for the word itself, less for a word that begins with it. */
function hits(texts: string[], word: string): number {
  if (texts.includes(word)) return 1;
  return word.length >= 3 && texts.some((text) => text.startsWith(word)) ? 0.6 : 0;
}

/** Words in lower case and singular, those of camelCase names apart. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word));
}

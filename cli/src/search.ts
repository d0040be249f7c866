// Finds operations by what a person would type.
import { operationSynonyms } from '../../shared/operation-synonyms.ts';
import type { Contract, Operation } from './contract.ts';

/** The words of each phrase, by lines of phrases for the same thing. */
const synonyms = operationSynonyms.map((line) => line.map(wordsOf));

const maxPhraseLength = Math.max(...synonyms.flat().map(({ length }) => length));

const weights = { id: 6, tag: 3, summary: 4, path: 2, description: 1 } as const;

/** A word or a phrase of the query. */
interface Term {
  words: string[];
  /** What the contract may call it. */
  others: string[][];
}

/** Operations that fit all terms best first; with no words, all of them. */
export function search(contract: Contract, query: string, limit = 20): Operation[] {
  const terms = termsOf(wordsOf(query));
  const all = [...contract.operations.values()];
  const exact = contract.operations.get(query.trim());
  if (terms.length === 0) return all.slice(0, limit);
  const fits = all.map((operation) => {
    const texts = textsOf(operation);
    return { operation, scores: terms.map((term) => scoreOf(texts, term)) };
  });
  const rarities = terms.map((_, at) => {
    const count = fits.filter(({ scores }) => scores[at] !== 0).length;
    return Math.log(1 + all.length / (1 + count));
  });
  const scored = fits.map(({ operation, scores }) => ({
    operation,
    score: operation === exact ? Infinity : sum(scores.map((score, at) => score * (rarities[at] ?? 1))),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.operation.id.length - other.operation.id.length)
    .slice(0, limit)
    .map(({ operation }) => operation);
}

/** Phrases for which other words are known stay together, longest first. */
function termsOf(words: string[]): Term[] {
  if (words.length === 0) return [];
  for (let length = Math.min(maxPhraseLength, words.length); ; length -= 1) {
    const phrase = words.slice(0, length);
    const others = othersOf(phrase);
    if (others.length > 0 || length === 1)
      return [{ words: phrase, others }, ...termsOf(words.slice(length))];
  }
}

function othersOf(phrase: string[]): string[][] {
  const text = phrase.join(' ');
  return synonyms
    .filter((line) => line.some((words) => words.join(' ') === text))
    .flat()
    .filter((words) => words.join(' ') !== text);
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

function scoreOf(texts: Texts, { words, others }: Term): number {
  // A phrase stands for as many words as it has.
  return words.length * Math.max(fitOf(texts, words), ...others.map((other) => fitOf(texts, other) * 0.6));
}

/** How well the texts fit all words of a phrase; twice as well if the phrase is the whole summary. */
function fitOf(texts: Texts, words: string[]): number {
  const factor = texts.summary.join(' ') === words.join(' ') ? 2 : 1;
  const names = Object.keys(weights) as (keyof typeof weights)[];
  const fits = names.map((name) => weights[name] * Math.min(...words.map((word) => hits(texts[name], word))));
  return factor * sum(fits);
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

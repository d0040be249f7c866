// What the search of the reference finds: operations, areas, guides and problems, with words that people type for them.
import type { ProblemTable } from '../problem.ts';
import type { Catalogue, OperationEntry } from './catalogue.ts';
import type { Guide } from './guides.ts';

export interface SearchDocument {
  /** The address of the page. */
  id: string;
  title: string;
  /** Shown below the title. */
  note: string;
  /** Words of the page itself. */
  words: string;
  /** What people call the things that the title names. */
  titleSynonyms: string;
  /** What people call the other things on the page. */
  synonyms: string;
  /** What people type who mean this page: phrases of several words for what its title names, and words for its whole title. */
  phrases?: string[];
  /** How likely the page is what people look for: 1 is usual. */
  weight: number;
}

/** Words for the same thing: a page with one of a line is found by all of it. */
export type Synonyms = readonly (readonly string[])[];

export interface SearchParts {
  catalogue: Catalogue;
  guides: readonly Guide[];
  problems: ProblemTable;
  search: SearchOptions;
}

export interface SearchOptions {
  synonyms: Synonyms;
  /** Security schemes of operations that few people may call; other operations come first. */
  rareSchemes: readonly string[];
}

export function searchDocuments({ catalogue, guides, problems, search }: SearchParts): SearchDocument[] {
  const operations = [...catalogue.operations.values()].map((operation) => {
    const { id, summary, method, path, tag, description, parameters } = operation;
    const sentence = firstSentence(description);
    return {
      id: `/api/docs/operations/${id}`,
      title: summary,
      note: `${method} ${path}`,
      words: [
        id,
        wordsOfName(id),
        path.replace(/\{\w+\}/g, ''),
        tag,
        sentence,
        ...parameters.map(({ name }) => name),
      ].join(' '),
      titleSynonyms: synonymsOf(summary, search.synonyms),
      phrases: phrasesOf(summary, search.synonyms),
      synonyms: synonymsOf([tag, sentence].join(' '), search.synonyms),
      weight: weightOf(operation, search),
    };
  });
  const areas = catalogue.groups.flatMap((group) =>
    group.tags.map(({ name, slug, description }) => ({
      id: `/api/docs/areas/${slug}`,
      title: name,
      note: `Area: ${description}`,
      words: `${group.name} ${description}`,
      titleSynonyms: '',
      synonyms: '',
      weight: 0.3,
    })),
  );
  const pages = guides.map(({ name, title, markdown }) => ({
    id: `/api/docs/guides/${name}`,
    title,
    note: 'Guide',
    words: [name, ...[...markdown.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading)].join(' '),
    titleSynonyms: synonymsOf(title, search.synonyms),
    synonyms: '',
    weight: 0.7,
  }));
  const codes = Object.entries(problems.kinds).map(([code, { title, status }]) => ({
    id: `/problems/${code}`,
    title,
    note: `Problem ${status} ${code}`,
    words: code.replaceAll('_', ' '),
    titleSynonyms: '',
    synonyms: '',
    weight: 0.6,
  }));
  return [...operations, ...areas, ...pages, ...codes];
}

/** Lists and creations come before operations on one thing and on its parts. */
function weightOf(
  { method, path, summary, security }: OperationEntry,
  { rareSchemes }: SearchOptions,
): number {
  const isRare =
    security.length > 0 &&
    security.every((requirement) => Object.keys(requirement).every((name) => rareSchemes.includes(name)));
  const isPart = path.endsWith('}') || !['GET', 'POST'].includes(method);
  const usual = /^(List|Create) /.test(summary) ? 1.6 : isPart ? 1 : 1.25;
  return isRare ? usual * 0.6 : usual;
}

/** `listApiKeys` as `list api keys`. */
const wordsOfName = (id: string) => id.replace(/([A-Z])/g, ' $1').toLowerCase();

const firstSentence = (text: string) => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** All words of each line that the text has a word of. */
function synonymsOf(text: string, synonyms: Synonyms): string {
  return [...new Set(linesFor(text, synonyms).flat().join(' ').split(' '))].join(' ');
}

const phrasesOf = (title: string, synonyms: Synonyms): string[] =>
  linesFor(title, synonyms).flatMap((line) =>
    line.includes(title.toLowerCase()) ? line : line.filter((phrase) => phrase.includes(' ')),
  );

function linesFor(text: string, synonyms: Synonyms): Synonyms {
  const lower = ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `;
  return synonyms.filter((line) => line.some((word) => hasWord(lower, word)));
}

const hasWord = (text: string, word: string) =>
  text.includes(` ${word} `) || text.includes(` ${word}s `) || text.includes(` ${word}es `);

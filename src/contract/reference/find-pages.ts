// The search of the reference. Browsers get the text of these functions, so they use nothing outside themselves.
import type MiniSearch from 'minisearch';
import type { SearchDocument } from './search-documents.ts';

export type SearchEngine = MiniSearch<SearchDocument>;

export type FoundPage = Pick<SearchDocument, 'id' | 'title' | 'note'>;

export function createEngine(Engine: typeof MiniSearch, documents: SearchDocument[]): SearchEngine {
  const ignored = new Set(['a', 'an', 'the', 'my', 'how', 'do', 'can', 'to', 'of', 'is', 'i']);
  const engine = new Engine<SearchDocument>({
    fields: ['title', 'titleSynonyms', 'words', 'synonyms'],
    storeFields: ['title', 'note', 'weight', 'phrases'],
    searchOptions: {
      boost: { title: 6, titleSynonyms: 3 },
      boostDocument: (_id, _term, stored) => Number(stored?.['weight']),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
    processTerm: (term) => {
      const word = term.toLowerCase();
      if (ignored.has(word)) return null;
      return word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
    },
  });
  engine.addAll(documents);
  return engine;
}

/** Pages that match most of the typed words come first, and among them those whose title begins with the same word. */
export function findPages(engine: SearchEngine, text: string): FoundPage[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  const [first = ''] = words;
  const found = engine.search(text).map(({ id, title, note, phrases, score, queryTerms }) => {
    const page: FoundPage = { id: String(id), title: String(title), note: String(note) };
    const begins = page.title.toLowerCase().startsWith(`${first} `) ? 1.5 : 1;
    const isMeant = Array.isArray(phrases) && phrases.includes(words.join(' ')) ? 3 : 1;
    return { page, rank: isMeant * score * begins * queryTerms.length ** 3 };
  });
  return found
    .sort((one, other) => other.rank - one.rank)
    .slice(0, 12)
    .map(({ page }) => page);
}

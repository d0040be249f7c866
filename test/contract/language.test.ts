// The words of the house: private ones have a plain word of the field, and their number in each room only shrinks.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../support/contract.ts';
import { allowances } from '../support/language-allowances.ts';

/** Private words, each with what to write instead. */
const privateWords: readonly [RegExp, string][] = [
  [/\b(?:tell|tells|told|telling)\b/gi, 'report, publish, notify, send, deliver'],
  [/\banswer(?:s|ed|ing)?\b/gi, 'return, reply, response'],
  [/\bmost[A-Z]\w*/g, 'max…'],
  [/\bmayGoOn\b|\bgo(?:es)? on\b|\bgoing on\b/gi, 'shouldContinue, continue'],
  [/\bin turn\b|\browsInTurn\b/gi, 'batches, paginate'],
  [/\b(?:whoever|whomever|whatever|somebody|nobody)\b/gi, 'the role: caller, owner, member, receiver'],
  [/\banew\b|\bonce more\b/gi, 'again, re-…'],
  [/\bis so\b|\bas it was\b/gi, 'holds, unchanged'],
  [/\bby the clock\b/gi, 'scheduled'],
  [/\bhand(?:s|ed|ing)? on\b|\bhand(?:s|ed|ing)? (?:it|them|\w+ events) on\b/gi, 'relay, forward, pass'],
  [/\busual[A-Z]\w*/g, 'default…, common…'],
  [/\bstrangers?\b/gi, 'unauthenticated callers, other tenants'],
  [/\bis no (?:map|text|JSON|item|number|file|list|object)\b/gi, 'is not a …'],
  [/\bfor good\b/gi, 'permanently, retained indefinitely'],
  [/\bat the moment\b|\bfor a (?:while|moment)\b/gi, 'a number with a unit'],
  [/deafness|doomed|tornIn|strangersIn|keepHouse|\bHearing\b|\bteller\b/g, 'the term of the mechanism'],
];

const files = globSync(
  [
    '{src,agent/src,cli,client,local-manager,panel,shared,scripts,bench,test,ui}/**/*.{ts,tsx}',
    'panel/src/texts/en/*.json',
    'sdks/**/*.{py,go,php,md}',
    'openapi/**/*.yaml',
    'local-manager/openapi/**/*.yaml',
    '{docs,agent,cli,client}/**/*.md',
    'README.md',
  ],
  {
    cwd: root,
    exclude: ['**/node_modules/**', 'sdks/**/[gG]enerated/**', 'sdks/**/*_gen.go', 'sdks/collections/**'],
  },
).filter((file) => !file.startsWith('test/contract/language'));

/** Scripts, which have the spelling of the house as well. */
const scripts = globSync('{src,agent,local-manager,scripts}/**/*.{sh,ps1}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});

/** A room: a folder of `src`, `agent/src` or `test`, else the folder at the top. */
function roomOf(file: string): string {
  const steps = file.split('/');
  const depth = ['src', 'agent', 'test'].includes(steps[0] ?? '') ? (steps[0] === 'agent' ? 3 : 2) : 1;
  return steps.slice(0, Math.min(depth, steps.length - 1)).join('/') || '.';
}

/** Contracts spell as the API does, whose fields are called `color` and `catalog`. */
const british =
  /\b(?:catalogue|colour|behaviour|favour|honour|neighbour|centre|licence|organis|recognis|normalis|initialis|authoris|serialis|synchronis|customis|optimis|summaris|analyse|defence)\w*/gi;

/** Other spellings than those of published names: `enrollHost`, `enrolment_code`, `cancelled_at`, `isCancellable`. */
const unpublished = /\b[eE]nrol(?:s?\b|(?=[A-Z]))|[eE]nrollment|[cC]ancel(?:ed|ing|ation|able)/g;

/** Words of Stripe, PostgreSQL and the DOM. */
const foreign = /'canceled'|canceling statement|\bcancelable\b/g;

describe('private words', () => {
  it('are no more in any room than they are allowed to be', () => {
    const counts = new Map<string, { count: number; found: string[] }>();
    for (const file of files) {
      const room = counts.get(roomOf(file)) ?? { count: 0, found: [] };
      counts.set(roomOf(file), room);
      readFileSync(resolve(root, file), 'utf8')
        .split('\n')
        .forEach((line, index) => {
          for (const [word, instead] of privateWords)
            for (const [found] of line.matchAll(word)) {
              room.count += 1;
              room.found.push(`${file}:${index + 1}: "${found}"; write ${instead}`);
            }
        });
    }
    const tooMany = [...counts]
      .filter(([room, { count }]) => count > (allowances[room] ?? 0))
      .map(([room, { count, found }]) => ({ room, count, allowed: allowances[room] ?? 0, found }));
    expect(tooMany).toEqual([]);
  });
});

it('the contracts have American spelling', () => {
  const found = files
    .filter((file) => /^(?:local-manager\/)?openapi\//.test(file))
    .flatMap((file) =>
      readFileSync(resolve(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          [...line.replace(/x-key: .*/, '').matchAll(british)].map(
            ([word]) => `${file}:${index + 1}: ${word}`,
          ),
        ),
    );
  expect(found).toEqual([]);
});

it('words of published names are spelled as those', () => {
  const found = [...files, ...scripts].flatMap((file) =>
    readFileSync(resolve(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.replace(foreign, '').matchAll(unpublished)].map(([word]) => `${file}:${index + 1}: ${word}`),
      ),
  );
  expect(found).toEqual([]);
});

/** Longer ones are divided, for example into a sentence and a list. */
const maxParagraphLength = 800;

it('descriptions of the contracts have no long paragraphs', () => {
  const documents = ['platform', 'local-manager'].map((name) => `generated/${name}.openapi-3.1.json`);
  const found: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      if (name === 'description' && typeof child === 'string') {
        const paragraphs = child.split(/\n\s*\n|\n(?=\s*[-*|] )/);
        found.push(
          ...paragraphs
            .filter(({ length }) => length > maxParagraphLength)
            .map(({ length }) => `${at}: ${length}`),
        );
      }
      visit(child, `${at}/${name}`);
    }
  };
  for (const file of documents) visit(JSON.parse(readFileSync(resolve(root, file), 'utf8')), file);
  expect(found).toEqual([]);
});

it('guides link to each other by title: the site that shows them has no files', () => {
  const found = files
    .filter((file) => /^docs\/[\w-]+\.md$/.test(file))
    .flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(/\[`?[\w-]+\.md`?\]\(\S+\)/g)].map(
        ([link]) => `${file}: ${link}`,
      ),
    );
  expect(found).toEqual([]);
});

// Entries that are added to and removed from a file: the others keep their comments and every byte.
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { entryEdits } from '../../src/plugin-configs/children.ts';
import { applied } from '../../src/plugin-configs/edits.ts';
import { itemsOf, readJson } from '../../src/plugin-configs/json-text.ts';

interface Entry {
  value: number;
  /** Comments on lines of their own before it, between it and its comma, and at the end of its line. */
  before: string | null;
  between: string | null;
  after: string | null;
  stays: boolean;
  /** The number of new ones before it. */
  news: number;
}

const comment = fc.option(fc.stringMatching(/^[a-z ,:[\]{}"]{0,8}$/), { nil: null });
const entry = fc.record({
  value: fc.nat(999),
  before: comment,
  between: comment,
  after: comment,
  stays: fc.boolean(),
  news: fc.nat(2),
});
const style = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  endsWithComma: fc.boolean(),
  head: comment,
  foot: comment,
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

const block = (text: string | null, index: number) => (text === null ? '' : ` /* ${index}${text} */`);
const line = (text: string | null, name: string) => (text === null ? '' : ` // ${name}${text}`);

function linesOf({ value, before, between, after }: Entry, index: number, hasComma: boolean): string[] {
  const own = `  ${value}${block(between, index)}${hasComma ? ',' : ''}${line(after, `after ${index}`)}`;
  return before === null ? [own] : [`  //${line(before, `before ${index}`)}`, own];
}

function fileOf(entries: readonly Entry[], { eol, endsWithComma, head, foot }: Style): string {
  const lines = entries.flatMap((one, index) =>
    linesOf(one, index, endsWithComma || index < entries.length - 1),
  );
  const last = foot === null ? [] : [`  // foot${foot}`];
  return [`[${line(head, 'head')}`, ...lines, ...last, ']', ''].join(eol);
}

function changed(text: string, entries: readonly Entry[], fresh: string[]): string {
  const document = readJson(text);
  const { root } = document;
  if (root === undefined) throw new Error('nothing there');
  const present = itemsOf(root);
  const sequence = entries.flatMap(({ stays, news }, index) => [
    ...fresh.splice(0, news),
    ...(stays ? [present[index] ?? ''] : []),
  ]);
  const layout = { isInline: false, eol: text.includes('\r') ? '\r\n' : '\n', margin: '  ', outerMargin: '' };
  return applied(text, entryEdits(text, root, present, sequence, layout));
}

const numbers = () => Array.from({ length: 100 }, (_, index) => String(1_000 + index));

it('has the wanted entries in order', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), style, (entries, as) => {
      const fresh = numbers();
      const wanted = entries.flatMap(({ value, stays, news }) => [
        ...fresh.splice(0, news).map(Number),
        ...(stays ? [value] : []),
      ]);
      expect(parse(changed(fileOf(entries, as), entries, numbers()))).toEqual(wanted);
    }),
  );
});

it('equals a file that never had the removed entries, comments included', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), style, (entries, as) => {
      fc.pre(entries.some(({ stays }) => stays));
      const none = entries.map((one) => ({ ...one, news: 0 }));
      const kept = none.map((one, index) => ({ one, index })).filter(({ one }) => one.stays);
      const lines = kept.flatMap(({ one, index }, at) =>
        linesOf(one, index, as.endsWithComma || at < kept.length - 1),
      );
      const foot = as.foot === null ? [] : [`  // foot${as.foot}`];
      const without = [`[${line(as.head, 'head')}`, ...lines, ...foot, ']', ''].join(as.eol);
      expect(changed(fileOf(none, as), none, [])).toBe(without);
    }),
  );
});

it('keeps every line where entries are added', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), style, (entries, as) => {
      const all = entries.map((one) => ({ ...one, stays: true }));
      const before = fileOf(all, as);
      const after = changed(before, all, numbers())
        .split(as.eol)
        .filter((text) => !/^ {2}1\d{3},?$/.test(text));
      expect(after).toEqual(before.split(as.eol));
    }),
  );
});

const inline = [
  { text: '[1, 2, 3]', sequence: [1, 2], becomes: '[2, 3]' },
  { text: '[1, 2, 3]', sequence: [0, 2], becomes: '[1, 3]' },
  { text: '[ 1, 2, 3 ]', sequence: [0, 1], becomes: '[ 1, 2 ]' },
  { text: '[ 1, 2, ]', sequence: [0, 1, 'x'], becomes: '[ 1, 2, x, ]' },
  { text: '[1, 2]', sequence: ['x', 0, 'y', 1, 'z'], becomes: '[x, 1, y, 2, z]' },
  { text: '[1, 2]', sequence: [], becomes: '[]' },
  { text: '[1, 2]', sequence: ['x'], becomes: '[ x ]' },
  { text: '[ 1, // one\n]', sequence: [0, 'x'], becomes: '[ 1, // one\n  x,\n]' },
  { text: '[ 1 // one\n]', sequence: [0, 'x'], becomes: '[ 1, // one\n  x\n]' },
  { text: '[1 /* one */, 2]', sequence: [1], becomes: '[2]' },
  { text: '[1, /* two */ 2]', sequence: [0], becomes: '[1]' },
  { text: '[ // none\n]', sequence: ['x'], isInline: false, becomes: '[ // none\n  x\n]' },
  { text: '[]', sequence: [], becomes: '[]' },
];

it.each(inline)('$text with $sequence is $becomes', ({ text, sequence, becomes, isInline = true }) => {
  const { root } = readJson(text);
  if (root === undefined) throw new Error('nothing there');
  const present = itemsOf(root);
  const parts = sequence.map((part) => (typeof part === 'string' ? part : (present[part] ?? '')));
  const layout = { isInline, eol: '\n', margin: '  ', outerMargin: '' };
  expect(applied(text, entryEdits(text, root, present, parts, layout))).toBe(becomes);
});

// Cursors of pages, and the one row too many that says there is a next one.
import fc from 'fast-check';
import { cursorOf, cut, textOfCursor, type Page } from '../../src/services/page.ts';

describe('a cursor', () => {
  it('says what it was made of, and travels in a query as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        const cursor = cursorOf(key);
        expect(textOfCursor(cursor)).toBe(key);
        expect(cursor).toMatch(/^[\w-]*$/);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  it('of bytes that are no text is some text, never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(typeof textOfCursor(Buffer.from(bytes).toString('base64url'))).toBe('string');
      }),
    );
  });
});

describe('cut', () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `row ${index}` }));

  it('leaves a page that is not full alone, and names no next one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(100), (limit, count) => {
        fc.pre(count <= limit);
        expect(cut(rowsOf(count), limit, ({ id }) => id)).toEqual({ rows: rowsOf(count), nextCursor: null });
      }),
    );
  });

  it('takes the row too many off, and names the last one that it leaves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (limit) => {
        const page = cut(rowsOf(limit + 1), limit, ({ id }) => id);
        expect(page).toEqual({ rows: rowsOf(limit), nextCursor: `row ${limit - 1}` });
      }),
    );
  });

  it('gives every row once when its pages are followed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(100), (limit, count) => {
        const all = rowsOf(count);
        const seen: { id: string }[] = [];
        let start: number | null = 0;
        while (start !== null) {
          const page: Page<{ id: string }> = cut(all.slice(start, start + limit + 1), limit, ({ id }) =>
            cursorOf(id),
          );
          seen.push(...page.rows);
          const last: string | null = page.nextCursor === null ? null : textOfCursor(page.nextCursor);
          start = last === null ? null : all.findIndex(({ id }) => id === last) + 1;
        }
        expect(seen).toEqual(all);
      }),
    );
  });
});

// Diffs of plugins' files, made of edits: patching with the diff gives the written text.
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { applied, diffOf, type Edit } from '../../src/plugin-configs/edits.ts';
import { cpuMs } from '../support/patience.ts';

const line = fc.constantFrom('a', 'b', '', '  "key": 1,', '{', '}');
const texts = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + (lines.length === 0 ? '' : end));

/** Edits that do not touch each other. */
const editsOf = (text: string) =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(12), fc.constantFrom('', 'x', 'x\ny', '\n', 'z\n\n')), {
      maxLength: 5,
    })
    .map((given) => {
      const edits: Edit[] = [];
      let free = 0;
      for (const [at, max, replacement] of given.toSorted(([one], [other]) => one - other)) {
        if (at < free) continue;
        const length = Math.min(max, text.length - at);
        edits.push({ offset: at, length, text: replacement });
        free = at + length + 1;
      }
      return edits;
    });

describe('a diff of edits', () => {
  it('patches the text to the result of the edits', () => {
    fc.assert(
      fc.property(
        texts.chain((text) => fc.tuple(fc.constant(text), editsOf(text))),
        ([text, edits]) => {
          const after = applied(text, edits);
          const diff = diffOf('config/Toy.json', text, edits);
          expect(diff === '' ? text : applyPatch(text, diff)).toBe(after);
          expect(diff === '').toBe(after === text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shows three lines of context', () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
    const edits = [{ offset: text.indexOf('line 10'), length: 7, text: 'ten' }];
    expect(diffOf('config/Toy.json', text, edits)).toBe(
      [
        '--- config/Toy.json\tserver',
        '+++ config/Toy.json\tnew',
        '@@ -7,7 +7,7 @@',
        ...[' line 7', ' line 8', ' line 9', '-line 10', '+ten', ' line 11', ' line 12', ' line 13', ''],
      ].join('\n'),
    );
  });

  it('takes no longer for a text of megabytes than reading it', () => {
    const text = '  "key": 1,\n'.repeat(400_000);
    const edits = Array.from({ length: 10_000 }, (_, index) => ({
      offset: index * 480 + 9,
      length: 1,
      text: '2',
    }));
    const ms = cpuMs(() => {
      expect(diffOf('config/Toy.json', text, edits)).toContain('@@ -1,4 +1,4 @@');
    });
    expect(ms).toBeLessThan(5_000);
  });
});

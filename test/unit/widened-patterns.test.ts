// Patterns that count as widened accept every text that the former pattern accepts.
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { widenedPatterns, withWidenedPatterns } from '../../scripts/widened-patterns.ts';

it.each(widenedPatterns)('$former, widened in $since', ({ former, widened }) => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(former, 'u')), (text) => new RegExp(widened, 'u').test(text)),
  );
});

it('no pattern of the contract is one that was widened', () => {
  const contract = readFileSync(
    resolve(import.meta.dirname, '../../generated/platform.openapi-3.1.json'),
    'utf8',
  );
  expect(withWidenedPatterns(contract)).toBe(contract);
});

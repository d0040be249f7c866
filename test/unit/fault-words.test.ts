// What validation says to people: no regular expression of the contract is ever in it.
import { faultWords, formWords } from '../../src/contract/fault-words.ts';

describe('words for a fault', () => {
  it.each(['must match pattern "^[a-z]+$"', 'must match pattern "^(a|b)\n$"'])(
    'name no expression: %s',
    (message) => {
      expect(faultWords(message)).toBe('does not have the required form');
      expect(formWords(message, undefined)).toBe('does not have the required form');
      expect(formWords(message, { 'x-form': 'a month' })).toBe('is not a month');
    },
  );

  it('stay what they are otherwise', () => {
    expect(faultWords('must be >= 1')).toBe('must be >= 1');
    expect(formWords('must be >= 1', { 'x-form': 'a month' })).toBe('must be >= 1');
  });
});

// Validation messages for people never contain regular expressions of the contract.
import { faultWords, formWords } from '../../src/contract/fault-words.ts';

describe('validation messages', () => {
  it.each(['must match pattern "^[a-z]+$"', 'must match pattern "^(a|b)\n$"'])(
    'contain no expression: %s',
    (message) => {
      expect(faultWords(message)).toBe('does not have the required form');
      expect(formWords(message, undefined)).toBe('does not have the required form');
      expect(formWords(message, { 'x-form': 'a month' })).toBe('is not a month');
    },
  );

  it('are otherwise unchanged', () => {
    expect(faultWords('must be >= 1')).toBe('must be >= 1');
    expect(formWords('must be >= 1', { 'x-form': 'a month' })).toBe('must be >= 1');
  });
});

// Problems of the contract as the page words them.
import { faultInWords, fieldInWords } from '../../local-manager/web/src/shared/faults.ts';
import { agoInWords } from '../../local-manager/web/src/operations/words.ts';

it.each([
  ['must NOT have fewer than 20 characters', 'needs at least 20 characters'],
  ['must NOT have more than 50 characters', 'takes at most 50 characters'],
  ['must be <= 30', 'has to be at most 30'],
  ['must be >= 8', 'has to be at least 8'],
  ['must be multiple of 0.5', 'goes in steps of 0.5'],
  ['must match pattern "^[A-Z]$"', 'has characters that cannot be there, or not the right form'],
  ["must have required property 'worldName'", 'is incomplete: World name is missing'],
  ['must be equal to one of the allowed values', 'is none of the choices'],
  ['is not accepted', 'is not accepted'],
])('%s', (detail, words) => {
  expect(faultInWords(detail)).toBe(words);
});

it('names fields as their forms do', () => {
  expect(['/worldName', '/playerIp', '/changes/0/value', '/memoryGB', ''].map(fieldInWords)).toEqual([
    ...['World name', 'Player IP address', 'Value', 'Memory', 'The input'],
  ]);
});

it('says how old an observation is', () => {
  expect(agoInWords(5 * 60_000)).toBe('5 minutes ago');
  expect(agoInWords(Number.NaN)).toBe('earlier');
});

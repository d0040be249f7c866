// Fields and times as the page words them.
import { fieldInWords } from '../../local-manager/web/src/shared/faults.ts';
import { agoInWords } from '../../local-manager/web/src/operations/words.ts';

it('names fields as their forms do', () => {
  expect(['/worldName', '/playerIp', '/changes/0/value', '/memoryGB', ''].map(fieldInWords)).toEqual([
    ...['World name', 'Player IP address', 'Value', 'Memory', 'The input'],
  ]);
});

it('says how old an observation is', () => {
  expect(agoInWords(5 * 60_000)).toBe('5 minutes ago');
  expect(agoInWords(Number.NaN)).toBe('earlier');
});

// Number fields of the panel hold what is typed until it is a number, and then show the number that is stored.
import { faultOfNumber, numberIn, stepped, textFor } from '../../../panel/src/shared/number-text.ts';

it('takes numbers with either mark of decimals, and keeps any other text unchanged', () => {
  expect(['1.5', '1,5', ' 12 ', '-0.25', '.5', '1.', '1e99', '1.0', '00'].map(numberIn)).toEqual([
    1.5, 1.5, 12, -0.25, 0.5, 1, 1e99, 1, 0,
  ]);
  expect(['-', '1e', '1.000.5', '1,000,5', '0x10', 'Infinity', '1e999', 'ten'].map(numberIn)).toEqual([
    ...['-', '1e', '1.000.5', '1,000,5', '0x10', 'Infinity', '1e999', 'ten'],
  ]);
  expect(['', '  '].map(numberIn)).toEqual(['', '']);
});

/** Types one key after another, as a form that stores every value. */
function typed(keys: string, first: number | string): { shown: string; stored: number | string } {
  let stored = first;
  let text: string | null = null;
  for (const key of keys) {
    const shown = textFor(text, stored);
    text = key === '<' ? shown.slice(0, -1) : shown + key;
    stored = numberIn(text);
  }
  return { shown: textFor(text, stored), stored };
}

it('shows every key that is typed, from one number to the next', () => {
  expect(typed('<1.5', 2)).toEqual({ shown: '1.5', stored: 1.5 });
  expect(typed('<', 1.05)).toEqual({ shown: '1.0', stored: 1 });
  expect(typed('<<30', 14)).toEqual({ shown: '30', stored: 30 });
  expect(typed('<<<50', 250)).toEqual({ shown: '50', stored: 50 });
  expect(typed('<<', 14)).toEqual({ shown: '', stored: '' });
  expect(typed('<-', 1)).toEqual({ shown: '-', stored: '-' });
});

it('shows the stored value when it comes from elsewhere', () => {
  expect(textFor('1.0', 3)).toBe('3');
  expect(textFor('1.0', 1)).toBe('1.0');
  expect(textFor('', 300)).toBe('300');
  expect(textFor(null, '')).toBe('');
});

it('names what keeps a value from being sent', () => {
  const of = (value: number | string, isOptional = false, isWhole = true) =>
    faultOfNumber(value, { isWhole, isOptional });
  expect([of(3), of(''), of('', true), of('1e'), of('1e', true), of(1.5), of(1.5, false, false)]).toEqual([
    ...[null, 'missing', null, 'notANumber', 'notANumber', 'notWhole', null],
  ]);
});

it('steps within its limits, without the noise of binary fractions', () => {
  expect(stepped(0.1, 0.2, 0, 1)).toBe(0.3);
  expect(stepped(30, 5, 1, 30)).toBe(30);
  expect(stepped('', 1, 1, 30)).toBe(1);
  expect(stepped('x', -1, Number.NEGATIVE_INFINITY, 5)).toBe(0);
});

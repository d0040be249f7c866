// The formats of the contracts accept nothing that the database or a date would interpret differently.
import fc from 'fast-check';
import { formats, isTime } from '../../src/values/formats.ts';

describe('date-time', () => {
  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '',
  ])('is not %j', (text) => expect(isTime(text)).toBe(false));

  it.each(['2028-02-29T00:00:00Z', '2000-02-29T12:00:00.123456789+05:30', '2026-12-31T23:59:59-14:00'])(
    'is %j',
    (text) => expect(isTime(text)).toBe(true),
  );

  it('accepts every moment that can be written', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-02T00:00:00Z'),
          max: new Date('9999-12-30T00:00:00Z'),
          noInvalidDate: true,
        }),
        (date) => isTime(date.toISOString()),
      ),
    );
  });
});

describe('uuid', () => {
  it('is in lower case', () => {
    fc.assert(fc.property(fc.uuid(), (id) => formats.uuid(id) && !formats.uuid(id.toUpperCase() + ' ')));
    expect(formats.uuid('0199A1F0-0000-7000-8000-000000000000')).toBe(false);
  });
});

describe('display-name', () => {
  it.each(['EU islands', 'Köln 3', '🏝️ Islands', '👩‍💻 crew', '👩🏽‍🚀 crew', '❤️‍🔥', '👨‍👩‍👧‍👦'])('is %j', (text) =>
    expect(formats['display-name'](text)).toBe(true),
  );

  it.each([
    'a\u200db',
    '\u200d🔥',
    '👩\u200d',
    '👩\u200d\u200d💻',
    '👩\u200dx',
    '\u202eabc',
    'a\u200bb',
    ' a',
    'a\n',
  ])('is not %j', (text) => expect(formats['display-name'](text)).toBe(false));
});

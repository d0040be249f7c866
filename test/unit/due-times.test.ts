// When cron expressions are due: order, local times, daylight saving, and invalid expressions.
import fc from 'fast-check';
import { DomainError } from '../../src/errors.ts';
import { DueTimes } from '../../src/services/schedules/due-times.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago', // its clock skips midnight
  'Africa/Cairo',
  'Asia/Kolkata',
  'Australia/Lord_Howe', // its clock moves by half an hour
];

const zone = fc.constantFrom(...zones);
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

/** The local date and minutes since midnight in the zone. */
function clockOf(time: Date, timeZone: string): { date: string; minutes: number } {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    time,
  );
  const [date = '', clock = ''] = text.split(' ');
  const [hours = NaN, minutes = NaN] = clock.split(':').map(Number);
  return { date, minutes: hours * 60 + minutes };
}

const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

const due = (from: string, cron: string, timeZone: string, count: number) =>
  new DueTimes()
    .after(new Date(from), { cron, timeZone }, count)
    .map((time) => time.toISOString().slice(0, 16));

describe('due times', () => {
  it('are ascending, after the given time, on whole minutes, for any start', () => {
    const known = new DueTimes();
    const cron = fc.constantFrom(
      '*/7 * * * *',
      '5,35 */3 * * *',
      '0 0 L * *',
      '30 2 * * MON#1',
      '15 1-4 * * *',
    );
    fc.assert(
      fc.property(
        cron,
        zone,
        moment,
        fc.integer({ min: 1, max: 12 }),
        (expression, timeZone, from, count) => {
          const timing = { cron: expression, timeZone };
          const times = known.after(from, timing, count);
          expect(times).toHaveLength(count);
          expect(times).toEqual(new DueTimes().after(from, timing, count));
          const all = [from, ...times].map((time) => time.getTime());
          expect(all.every((time, index) => index === 0 || time > (all[index - 1] ?? NaN))).toBe(true);
          expect(times.every((time) => time.getTime() % 60_000 === 0)).toBe(true);
          for (const time of times) expect(known.after(new Date(time.getTime() - 1), timing)).toEqual([time]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of one local time occur once on every day, at that time or right after a gap', () => {
    fc.assert(
      fc.property(
        zone,
        moment,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        (timeZone, from, hour, minute) => {
          const cron = `${minute} ${hour} * * *`;
          const clocks = new DueTimes()
            .after(from, { cron, timeZone }, 200)
            .map((time) => clockOf(time, timeZone));
          const wanted = hour * 60 + minute;
          for (const [index, { date, minutes }] of clocks.entries()) {
            const before = clocks[index - 1];
            if (before !== undefined) expect(date).toBe(dayAfter(before.date));
            expect(minutes === wanted || (minutes > wanted && minutes <= wanted + 60)).toBe(true);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of a step are evenly spaced across clock changes', () => {
    fc.assert(
      fc.property(zone, moment, (timeZone, from) => {
        const times = new DueTimes().after(from, { cron: '*/15 * * * *', timeZone }, 100);
        const pauses = times.slice(1).map((time, index) => time.getTime() - (times[index]?.getTime() ?? NaN));
        expect(new Set(pauses)).toEqual(new Set([15 * 60_000]));
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['one that the clock skips', '30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['several that it skips', '10,50 2 * * *', '2026-03-29T00:00Z', ['2026-03-29T01:00', '2026-03-30T00:10']],
    [
      'one on either side',
      '30 1-3 * * *',
      '2026-03-28T23:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      'a step over the gap',
      '*/30 2-3 * * *',
      '2026-03-28T23:00Z',
      ['2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:00'],
    ],
    ['one that comes twice', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'several that come twice',
      '0,30 2 * * *',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    [
      'a step that comes twice',
      '*/30 2 * * *',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-26T01:00'],
    ],
    [
      'every hour of the long night',
      '0 * * * *',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
  ])('in Berlin, of %s', (_what, cron, from, times) => {
    expect(due(from, cron, 'Europe/Berlin', times.length)).toEqual(times);
  });

  it('of the second pass of the clock differ from those of the first', () => {
    expect(due('2026-10-25T00:45Z', '30 2 * * *', 'Europe/Berlin', 1)).toEqual(['2026-10-26T01:30']);
  });

  it.each([
    ['29 2 29 2 *', '2026-01-01T00:00Z', ['2028-02-29T02:29', '2032-02-29T02:29']],
    ['0 12 13 * FRI', '2026-02-01T00:00Z', ['2026-02-06T12:00', '2026-02-13T12:00']],
    ['0 12 13 * +FRI', '2026-02-01T00:00Z', ['2026-02-13T12:00', '2026-03-13T12:00']],
    ['0 0 * * 7', '2026-11-21T00:00Z', ['2026-11-22T00:00', '2026-11-29T00:00']],
    ['0 0 L * *', '2026-02-01T00:00Z', ['2026-02-28T00:00', '2026-03-31T00:00']],
  ])('of %s', (cron, from, times) => {
    expect(due(from, cron, 'UTC', times.length)).toEqual(times);
  });
});

describe('a timing', () => {
  const faultOf = (cron: string, timeZone: string) => {
    try {
      new DueTimes().check({ cron, timeZone }, 'body');
      return undefined;
    } catch (error) {
      return error instanceof DomainError ? error.faults?.[0]?.pointer : error;
    }
  };

  it.each(['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 29 2 +0#1'])(
    'that never occurs is rejected: %s',
    (cron) => {
      expect(faultOf(cron, 'UTC')).toBe('/cron');
    },
  );

  it('is accepted, or rejected with the wrong field', () => {
    const part = fc.string({
      unit: fc.constantFrom(...'0123456789*,/#+-LWMONFRI'),
      minLength: 1,
      maxLength: 6,
    });
    const expression = fc.array(part, { minLength: 5, maxLength: 5 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(expression, fc.oneof(zone, fc.string({ maxLength: 12 })), (cron, timeZone) => {
        expect([undefined, '/cron', '/time_zone']).toContain(faultOf(cron, timeZone));
        expect(new DueTimes().after(new Date(), { cron, timeZone }).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });

  it('that is no longer valid is never due', () => {
    expect(due('2026-01-01T00:00Z', '* * * * *', 'Europe/Atlantis', 3)).toEqual([]);
    expect(due('2026-01-01T00:00Z', 'nonsense', 'UTC', 3)).toEqual([]);
  });
});

// The figures that the panel shows of a store, from its transactions as CSV.
import { csvOf, csvRecords, csvRows } from '../../panel/src/shared/csv.ts';
import { amountOf, periodsOf, salesOf } from '../../panel/src/store/overview/revenue.ts';

const header = 'id,paid_at,status,player_name,total,refunded,currency,is_test';

describe('CSV', () => {
  it('is read with quotes, commas, line breaks and empty fields', () => {
    expect(csvRows('\uFEFFa,b,c\r\n"1,5","say ""hi""\nthere",\n\n,,x')).toEqual([
      ['a', 'b', 'c'],
      ['1,5', 'say "hi"\nthere', ''],
      ['', '', 'x'],
    ]);
    expect(csvRecords('name,age\nAster,\n')).toEqual([{ name: 'Aster', age: '' }]);
    expect(csvRows('')).toEqual([]);
  });

  it('is read with the separator that its first line has most of', () => {
    expect(csvRows('Server;Kunde;Preis\nsrv-1;"a;b@example.com";1,50\n')).toEqual([
      ['Server', 'Kunde', 'Preis'],
      ['srv-1', 'a;b@example.com', '1,50'],
    ]);
    expect(csvRows('a\tb')).toEqual([['a', 'b']]);
    expect(csvRows('alone')).toEqual([['alone']]);
  });

  it('is refused where a quote is misplaced', () => {
    expect(() => csvRows('a\n"b"c')).toThrow(/line 2 is not CSV/);
    expect(() => csvRows('a\n"b')).toThrow(/line 2 is not CSV/);
  });

  it('is written so that it is read again, and no spreadsheet calculates it', () => {
    const rows = [
      ['name', 'note'],
      ['a "b", c', 'one\ntwo'],
      ['', ' kept '],
    ];
    expect(csvRows(csvOf(rows))).toEqual(rows);
    expect(csvOf([['=1+1', -5, null]])).toBe(`"'=1+1",-5,\r\n`);
    expect(csvOf([])).toBe('');
  });
});

describe('the revenue', () => {
  const now = new Date(2026, 10, 23, 12);
  const at = (day: number) => new Date(2026, 10, day, 9).toISOString();
  const csv = [
    header,
    `1,${at(23)},paid,"Aster, the ""first""",9.99,0.00,USD,false`,
    `2,${at(23)},partially_refunded,Ben,10.00,2.50,USD,false`,
    `3,${at(20)},disputed,Cat,4.00,0.00,USD,false`,
    `4,${at(20)},paid,Dan,1.00,0.00,USD,true`,
    `5,,pending,Eve,99.00,0.00,USD,false`,
    `6,${at(22)},paid,Fay,99.00,0.00,EUR,false`,
  ].join('\r\n');

  it('counts paid orders in the currency of the store, less refunds and disputes', () => {
    const sales = salesOf(csv, 'USD');
    expect(sales.map(({ total, refunded, isTest }) => [total, refunded, isTest])).toEqual([
      [999, 0, false],
      [1000, 250, false],
      [400, 400, false],
      [100, 0, true],
    ]);
  });

  it('has a sum for each day of the range, also for those without orders', () => {
    const periods = periodsOf(salesOf(csv, 'USD'), 7, now);
    expect(periods.map(({ start }) => start.getDate())).toEqual([17, 18, 19, 20, 21, 22, 23]);
    expect(periods.map(({ orders, net, refunded }) => [orders, net, refunded])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [2, 100, 400],
      [0, 0, 0],
      [0, 0, 0],
      [2, 1749, 250],
    ]);
  });

  it('is summed by month over a year', () => {
    const periods = periodsOf(salesOf(csv, 'USD'), 365, now);
    expect(periods).toHaveLength(12);
    expect(periods.at(-1)).toMatchObject({ start: new Date(2026, 10, 1), orders: 4, net: 1849 });
    expect(periods[0]?.start).toEqual(new Date(2025, 11, 1));
  });

  it('is written with the decimals of the currency', () => {
    expect([amountOf(1749, 2), amountOf(999, 0), amountOf(12_340, 3)]).toEqual(['17.49', '999', '12.340']);
  });
});

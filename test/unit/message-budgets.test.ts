// Message budgets of a host: everything within the budget, nothing beyond, and a continued flood is reported.
import fc from 'fast-check';
import { MessageBudgets } from '../../src/bus/message-budgets.ts';

const options = { messagesPerSecond: 10, bytesPerSecond: 1_000 };

it('accepts messages within the budget of a second, by number and by bytes, host by host', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 30 }), (sizes) => {
      const budgets = new MessageBudgets(options);
      let bytes = 0;
      for (const [index, size] of sizes.entries()) {
        bytes += size;
        expect(budgets.take('one', size, 1_000)).toBe(index < 10 && bytes <= 1_000);
      }
      expect(budgets.take('other', 1_000, 1_000)).toBe(true);
      expect(budgets.take('one', 1_000, 2_000)).toBe(true);
    }),
  );
});

it('reports a host that exceeds its budget for three seconds in a row, and never one that pauses', () => {
  const floods: string[] = [];
  const budgets = new MessageBudgets({ ...options, onFlood: (hostId) => floods.push(hostId) });
  const overdraw = (hostId: string, now: number) => {
    for (let index = 0; index < 11; index += 1) budgets.take(hostId, 1, now);
  };
  for (let second = 0; second < 3; second += 1) overdraw('stubborn', second * 1_000);
  expect(floods).toEqual([]);
  overdraw('stubborn', 3_000);
  expect(floods).toEqual(['stubborn']);
  for (let second = 0; second < 20; second += 2) {
    overdraw('bursts', second * 1_000);
    budgets.take('bursts', 1, (second + 1) * 1_000);
  }
  expect(floods).toEqual(['stubborn']);
});

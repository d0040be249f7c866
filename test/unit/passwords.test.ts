// Hashing in turns: how many may wait, and that those who are refused have cost nothing and told nothing.
import { Passwords } from '../../src/services/auth/passwords.ts';

const password = 'correct-horse-battery';

it('lets as many wait as may, refuses the others at once, known or not, and takes new ones when the queue is done', async () => {
  const passwords = new Passwords(2, 6);
  const hash = await passwords.hash(password);
  const order: string[] = [];
  const attempts = Array.from({ length: 18 }, (_, index) =>
    passwords.verify(index % 2 === 0 ? hash : undefined, password).then(
      (matches) => {
        order.push('checked');
        return matches;
      },
      (error: unknown) => {
        order.push('refused');
        return (error as { code: unknown }).code;
      },
    ),
  );
  const responses = await Promise.all(attempts);
  const checked = Array.from({ length: 8 }, (_, index) => index % 2 === 0);
  expect(responses).toEqual([...checked, ...Array<string>(10).fill('unavailable')]);
  expect(order.slice(0, 10)).toEqual(Array<string>(10).fill('refused'));
  expect(await passwords.verify(hash, password)).toBe(true);
});

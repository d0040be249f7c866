// The queue of password hashes: its limit, and that refusals cost and reveal nothing.
import { Passwords } from '../../src/services/auth/passwords.ts';

const password = 'correct-horse-battery';

it('accepts requests up to its limit, refuses others at once, known or not, and accepts again when it is empty', async () => {
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

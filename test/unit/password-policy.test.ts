// Which passwords may be chosen.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { refuseWeak } from '../../src/services/auth/password-policy.ts';
import { loadEstimate } from '../../src/services/auth/password-estimate.ts';
import { PasswordEstimator } from '../../src/services/auth/password-estimator.ts';
import { threadMs } from '../support/thread-cost.ts';
import { until } from '../support/until.ts';

const check = (password: string, email = 'owner@rusty-islands.example') =>
  refuseWeak({ password, email, pointer: '/password' });

const weak = [
  'password1234',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'qwertyuiop12345',
  'P@ssw0rd1234!',
  'abcabcabcabcabc',
  '1234567890123',
  'rusty-islands1',
  'owner@rusty-islands.example',
  'l33t'.repeat(50),
];

it.each(weak)('%s is rejected, with advice', async (password) => {
  await expect(check(password)).rejects.toMatchObject({
    code: 'weak_password',
    message: expect.stringMatching(/\w{4}.*\.$/),
    faults: [{ in: 'body', pointer: '/password' }],
  });
});

it.each(['correct-horse-battery', 'no digits and no capitals', 'žluťoučký kůň úpěl', '4f9c1a77d02be8'])(
  '%s is accepted: there are no composition rules',
  async (password) => {
    await check(password);
  },
);

it('words about the account count for nothing: the same text is accepted for another user', async () => {
  await expect(check('rusty-islands1')).rejects.toThrow();
  await check('brittle-lanterns1');
});

it('nothing below 12 characters is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 11, unit: 'binary' }), async (password) => {
      await expect(check(password.slice(0, 11))).rejects.toMatchObject({ code: 'weak_password' });
    }),
    { numRuns: 50 },
  );
});

it('a long password takes no longer than a shorter one', async () => {
  const estimate = await loadEstimate();
  const hard = 'a1@$!0|(<3'.repeat(20);
  const costOf = (password: string) =>
    threadMs(() => Promise.resolve(estimate({ password, known: ['gantry'] })));
  await costOf(hard);
  expect((await costOf(hard)) / (await costOf(hard.slice(0, 40)))).toBeLessThan(3);
});

describe('the dictionaries', () => {
  const input = { password: 'correct-horse-battery', known: ['gantry'] };

  it('are in memory only while passwords are chosen', async () => {
    const estimator = new PasswordEstimator(0);
    expect(estimator.isLoaded).toBe(false);
    expect(await Promise.all([estimator.estimate(input), estimator.estimate(input)])).toEqual([
      expect.objectContaining({ score: 4 }),
      expect.objectContaining({ score: 4 }),
    ]);
    await until(() => !estimator.isLoaded);
    expect(await estimator.estimate(input)).toMatchObject({ score: 4 });
  });

  it('are loaded again after their thread has ended', async () => {
    const estimator = new PasswordEstimator();
    const begun = once(process as NodeJS.EventEmitter, 'worker') as Promise<[Worker]>;
    await estimator.estimate(input);
    const [thread] = await begun;
    await thread.terminate();
    expect(estimator.isLoaded).toBe(false);
    expect(await estimator.estimate(input)).toMatchObject({ score: 4 });
  });

  it('do not block the process', async () => {
    const estimator = new PasswordEstimator();
    const cost = await threadMs(() => estimator.estimate(input));
    const estimate = await loadEstimate();
    const blocking = await threadMs(async () => {
      estimate({ password: 'a1@$!0|(<3'.repeat(4), known: [] });
    });
    expect(cost).toBeLessThan(blocking);
  });
});

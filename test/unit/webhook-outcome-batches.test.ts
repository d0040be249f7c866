// Outcomes of attempts are recorded in groups: in order, one group at a time, none left out.
import type { Attempt } from '../../src/services/webhooks/attempts.ts';
import { groupSize, AttemptRecorder } from '../../src/services/webhooks/outcome-batches.ts';

const attempt = (index: number, isUnavailable = false): Attempt => ({
  delivery: { id: `d${index}`, event: 'test', body: '', attempt_count: 0, recent_failures: 0, queued_at: '' },
  at: new Date(0),
  durationMs: 1,
  outcome: isUnavailable ? 'timed_out' : 'succeeded',
  code: null,
  response: null,
  detail: null,
  isUnavailable,
});

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ delivery }) => delivery.id);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

/** Records that wait until the test releases them, with a result or an error. */
function held() {
  const groups: { ids: string[]; settle: PromiseWithResolvers<boolean> }[] = [];
  const recorder = new AttemptRecorder((attempts) => {
    const settle = Promise.withResolvers<boolean>();
    groups.push({ ids: idsOf(attempts), settle });
    return settle.promise;
  });
  return { groups, recorder };
}

function addTo(recorder: AttemptRecorder, from: number, to: number): void {
  for (let index = from; index < to; index += 1) recorder.add(attempt(index));
}

it('a group is recorded while more arrive, and all that arrived meanwhile together', async () => {
  const { groups, recorder } = held();
  const all = 3.5 * groupSize;
  addTo(recorder, 0, groupSize - 1);
  expect(groups).toHaveLength(0);
  addTo(recorder, groupSize - 1, all);
  expect(groups.map((group) => group.ids.length)).toEqual([groupSize]);
  expect(recorder.unrecorded).toEqual(ids(all));
  const ended = recorder.end();
  groups[0]?.settle.resolve(true);
  await new Promise(setImmediate);
  expect(groups.map((group) => group.ids.length)).toEqual([groupSize, all - groupSize]);
  expect(recorder.unrecorded).toHaveLength(all - groupSize);
  groups[1]?.settle.resolve(true);
  await ended;
  expect(groups.flatMap((group) => group.ids)).toEqual(ids(all));
  expect([recorder.unrecorded, recorder.isWanted]).toEqual([[], true]);
});

it.each([0, 1, groupSize - 1, groupSize, groupSize + 1, 7 * groupSize + 30])(
  'none of %d is left out',
  async (count) => {
    const noted: string[] = [];
    const recorder = new AttemptRecorder(async (attempts) => {
      await new Promise(setImmediate);
      noted.push(...idsOf(attempts));
      return true;
    });
    for (let index = 0; index < count; index += 1) {
      recorder.add(attempt(index));
      if (index % 70 === 0) await new Promise(setImmediate);
    }
    await recorder.end();
    expect(noted).toEqual(ids(count));
  },
);

it.each([
  ['a receiver is unwell', [attempt(0, true)], true],
  ['a webhook is disabled', [attempt(0)], false],
])('nothing more is accepted once %s', async (_, attempts, isEnabled) => {
  const recorder = new AttemptRecorder(async () => isEnabled);
  for (const one of attempts) recorder.add(one);
  await recorder.end();
  expect(recorder.isWanted).toBe(false);
});

it('a failed record ends the lease and is reported', async () => {
  const { groups, recorder } = held();
  addTo(recorder, 0, 1.5 * groupSize);
  groups[0]?.settle.reject(new Error('the database is away'));
  const ended = recorder.end();
  await new Promise(setImmediate);
  groups[1]?.settle.resolve(true);
  await expect(ended).rejects.toThrow('could not be recorded');
  expect(recorder.isWanted).toBe(false);
});

// Outcomes of attempts are recorded in groups: in order, one group at a time, none left out.
import type { Attempt } from '../../src/services/webhooks/attempts.ts';
import { groupSize, Notes } from '../../src/services/webhooks/outcome-batches.ts';

const attempt = (index: number, isUnwell = false): Attempt => ({
  delivery: { id: `d${index}`, event: 'test', body: '', attempt_count: 0, recent_failures: 0, queued_at: '' },
  at: new Date(0),
  durationMs: 1,
  outcome: isUnwell ? 'timed_out' : 'succeeded',
  code: null,
  response: null,
  detail: null,
  isUnwell,
});

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ delivery }) => delivery.id);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

/** Records that wait until the test releases them, with a result or an error. */
function held() {
  const groups: { ids: string[]; settle: PromiseWithResolvers<boolean> }[] = [];
  const notes = new Notes((attempts) => {
    const settle = Promise.withResolvers<boolean>();
    groups.push({ ids: idsOf(attempts), settle });
    return settle.promise;
  });
  return { groups, notes };
}

function addTo(notes: Notes, from: number, to: number): void {
  for (let index = from; index < to; index += 1) notes.add(attempt(index));
}

it('a group is recorded while more arrive, and all that arrived meanwhile together', async () => {
  const { groups, notes } = held();
  const all = 3.5 * groupSize;
  addTo(notes, 0, groupSize - 1);
  expect(groups).toHaveLength(0);
  addTo(notes, groupSize - 1, all);
  expect(groups.map((group) => group.ids.length)).toEqual([groupSize]);
  expect(notes.unnoted).toEqual(ids(all));
  const ended = notes.end();
  groups[0]?.settle.resolve(true);
  await new Promise(setImmediate);
  expect(groups.map((group) => group.ids.length)).toEqual([groupSize, all - groupSize]);
  expect(notes.unnoted).toHaveLength(all - groupSize);
  groups[1]?.settle.resolve(true);
  await ended;
  expect(groups.flatMap((group) => group.ids)).toEqual(ids(all));
  expect([notes.unnoted, notes.isWanted]).toEqual([[], true]);
});

it.each([0, 1, groupSize - 1, groupSize, groupSize + 1, 7 * groupSize + 30])(
  'none of %d is left out',
  async (count) => {
    const noted: string[] = [];
    const notes = new Notes(async (attempts) => {
      await new Promise(setImmediate);
      noted.push(...idsOf(attempts));
      return true;
    });
    for (let index = 0; index < count; index += 1) {
      notes.add(attempt(index));
      if (index % 70 === 0) await new Promise(setImmediate);
    }
    await notes.end();
    expect(noted).toEqual(ids(count));
  },
);

it.each([
  ['a receiver is unwell', [attempt(0, true)], true],
  ['a webhook is disabled', [attempt(0)], false],
])('nothing more is accepted once %s', async (_, attempts, isEnabled) => {
  const notes = new Notes(async () => isEnabled);
  for (const one of attempts) notes.add(one);
  await notes.end();
  expect(notes.isWanted).toBe(false);
});

it('a failed record ends the lease and is reported', async () => {
  const { groups, notes } = held();
  addTo(notes, 0, 1.5 * groupSize);
  groups[0]?.settle.reject(new Error('the database is away'));
  const ended = notes.end();
  await new Promise(setImmediate);
  groups[1]?.settle.resolve(true);
  await expect(ended).rejects.toThrow('could not be noted');
  expect(notes.isWanted).toBe(false);
});

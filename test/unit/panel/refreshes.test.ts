// Events have only that read again which they are about.
import { isAbout, pathsOf } from '../../../panel/src/live/refreshes.ts';

const event = { instance_id: 'east', subject: { type: 'schedule', id: 'nightly' } };

it('leaves data of other instances and of other schedules alone', () => {
  const about = (path: object) => isAbout({ path }, event);
  expect(about({ instance_id: 'east' })).toBe(true);
  expect(about({ instance_id: 'west' })).toBe(false);
  expect(about({ schedule_id: 'nightly' })).toBe(true);
  expect(about({ schedule_id: 'weekly' })).toBe(false);
  expect(about({})).toBe(true);
  expect(isAbout(undefined, event)).toBe(true);
  const ofOrder = { instance_id: null, subject: { type: 'order', id: 'one' } };
  expect(isAbout({ path: { schedule_id: 'weekly', instance_id: 'west' } }, ofOrder)).toBe(true);
});

it('names the paths of a type and of its area', () => {
  expect(pathsOf('schedule.run_finished')).toContain('/api/schedules/{schedule_id}/runs');
  expect(pathsOf('unknown.type')).toEqual([]);
});

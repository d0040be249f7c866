// Which lines the panel's console shows while it is searched, and loses or gets lines before the first one.
import { LineView } from '../../panel/src/console/line-view.ts';

const lineOf = (key: number) => ({
  key,
  at: '2026-11-27T03:00:00Z',
  stream: key % 3 === 0 ? 'stderr' : 'stdout',
  text: key % 5 === 0 ? 'Saved the map' : `line ${key}`,
});

const keysOf = ({ shown }: LineView) => shown.map(({ key }) => key);

it.each([
  { stream: '', search: '' },
  { stream: 'stderr', search: '' },
  { stream: 'stdout', search: 'SAVED' },
  { stream: 'nothing', search: 'x' },
])('are those of a new view after every step, filtered by %j', (filter) => {
  const lines: ReturnType<typeof lineOf>[] = [];
  const view = new LineView();
  let next = 0;
  let first = 0;
  let dropped = 0;
  const steps = [
    { grow: 40, lose: 0, get: 0 },
    { grow: 7, lose: 7, get: 0 },
    { grow: 0, lose: 0, get: 20 },
    { grow: 0, lose: 13, get: 0 },
    { grow: 30, lose: 1, get: 0 },
    { grow: 2, lose: 0, get: 9 },
    { grow: 5, lose: 61, get: 0 },
    { grow: 3, lose: 3, get: 0 },
    { grow: 0, lose: 0, get: 0 },
    { grow: 9, lose: 4, get: 30 },
  ];
  for (const { grow, lose, get } of steps) {
    for (let count = 0; count < grow; count += 1) lines.push(lineOf(next++));
    for (let count = 0; count < get; count += 1) lines.unshift(lineOf((first -= 1)));
    lines.splice(0, lose);
    dropped += lose - get;
    view.update(lines, dropped, filter);
    const fresh = new LineView();
    fresh.update(lines, dropped, filter);
    expect(keysOf(view)).toEqual(keysOf(fresh));
    expect(view.matches).toEqual(fresh.matches);
  }
});

it('keep their list while they are only cut, so that nothing is laid out from its beginning', () => {
  const lines = Array.from({ length: 50 }, (_, key) => lineOf(key));
  const view = new LineView();
  view.update(lines, 0, { stream: '', search: '' });
  const { shown } = view;
  lines.splice(0, 20);
  view.update(lines, 20, { stream: '', search: '' });
  expect(view.shown).toBe(shown);
  view.update(lines, 20, { stream: 'stderr', search: '' });
  expect(view.shown).not.toBe(shown);
});

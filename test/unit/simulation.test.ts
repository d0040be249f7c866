// Simulated hosts: the same seed and the same times give the same host.
import { beginStop } from '../../src/sandbox/power.ts';
import { startSimulation } from '../../src/sandbox/simulation.ts';
import { takeDueSteps } from '../../src/sandbox/steps.ts';

const startMs = Date.parse('2026-11-21T10:00:00.000Z');
const minuteMs = 60_000;

/** A host after two hours in which players came, spoke and left. */
function hostOf(seed: number) {
  const host = startSimulation(seed, startMs);
  for (let minute = 0; minute <= 120; minute += 1) takeDueSteps(host, startMs + minute * minuteMs);
  return host;
}

const namesOf = (host: ReturnType<typeof hostOf>) => host.servers['main']?.players.map(({ name }) => name);

it('one seed gives one run', () => {
  expect(hostOf(42)).toEqual(hostOf(42));
  expect(namesOf(hostOf(42))?.length).toBeGreaterThan(0);
});

it('another seed gives another run', () => {
  expect(namesOf(hostOf(42))).not.toEqual(namesOf(hostOf(43)));
});

it('a clock that jumps takes milestones at their own times, and repeated steps once', () => {
  const host = startSimulation(42, startMs);
  const main = host.servers['main'];
  if (main === undefined) throw new Error('no server');
  beginStop({ host, server: main, instance: 'main', nowMs: startMs }, { commandId: null, startsAgain: true });
  const [stop] = host.steps;
  takeDueSteps(host, startMs + 24 * 60 * minuteMs);
  expect(main.state).toBe('running');
  expect(main.startedMs).toBe(stop?.atMs);
  expect(host.steps.filter(({ kind }) => kind === 'players')).toHaveLength(1);
});

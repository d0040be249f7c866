// The plugin for game servers, compiled and run against a stand-in host: which events it retries.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { newtonsoftJson } from '../support/needs.ts';

const root = resolve(import.meta.dirname, '../..');

interface Step {
  Do: 'load' | 'join' | 'stay' | 'hour' | 'send';
  Instance?: string;
  Count?: number;
  /** The platform's response; none by default. */
  Code?: number;
  Response?: string;
}

interface After {
  waiting: number;
  isPaused: boolean;
  /** Instance and player of each event that was sent. */
  sent: string[] | null;
  warnings: string[];
}

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-plugin-'));
  const sources = ['game-plugins/GantryEvents.cs', 'test/game-plugins/host.cs'].map((file) =>
    join(root, file),
  );
  execFileSync('mcs', [`-out:${directory}/host.exe`, `-r:${newtonsoftJson}`, ...sources]);
});
afterAll(() => rmSync(directory, { recursive: true }));

function play(...steps: Step[]): After[] {
  const output = execFileSync('mono', [`${directory}/host.exe`], {
    input: steps.map((step) => JSON.stringify(step)).join('\n'),
    env: { ...process.env, MONO_PATH: dirname(newtonsoftJson) },
    encoding: 'utf8',
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as After);
}

const load = (Instance = 'main'): Step => ({ Do: 'load', Instance });
const comes = (Count: number): Step => ({ Do: 'join', Count });
const send = (Code: number, response: object | string = {}): Step => ({
  Do: 'send',
  Code,
  Response: typeof response === 'string' ? response : JSON.stringify(response),
});
const players = (after: After | undefined) => after?.sent?.map((one) => one.split(' ')[1]);

describe('the plugin for game servers', () => {
  it('forgets accepted events, and retries those without a response', () => {
    const steps = play(load(), comes(3), { Do: 'send' }, load(), send(503, 'away'), load(), send(200));
    const [, , , , failed, , taken] = steps;
    expect(failed).toMatchObject({ waiting: 3, isPaused: true, warnings: [expect.stringContaining('503')] });
    expect(taken).toMatchObject({ waiting: 0, warnings: [] });
    expect(players(taken)).toEqual(['0', '1', '2']);
  });

  it('keeps events that are rejected for their instance, logs it, and sends them under the corrected name', () => {
    const refused = [0, 1, 2].map((index) => ({
      pointer: `/events/${index}/${index === 1 ? 'occurred_at' : 'instance'}`,
      detail: index === 1 ? 'is more than 7 days ago' : 'No such instance.',
    }));
    const [, , wrong, , right] = play(
      load('wrong'),
      comes(4),
      send(200, { taken: 1, duplicates: 0, refused }),
      load('right'),
      send(200),
    );
    expect(wrong).toMatchObject({ waiting: 2, isPaused: true });
    expect(wrong?.warnings).toEqual([
      expect.stringMatching(/^2 events wait .*"wrong": No such instance\./),
      '1 events were refused: /events/1/occurred_at is more than 7 days ago',
    ]);
    expect(right).toMatchObject({ waiting: 0, sent: ['right 0', 'right 2'] });
  });

  it('drops only the invalid events of a rejected batch', () => {
    const errors = [{ pointer: '/events/1/steam_id', detail: 'must match the pattern' }];
    const [, , refused, next] = play(load(), comes(3), send(400, { errors }), send(200));
    expect(refused).toMatchObject({
      waiting: 2,
      warnings: ['1 events were refused: /events/1/steam_id must match the pattern'],
    });
    expect(players(next)).toEqual(['0', '2']);
  });

  it.each([
    ['nothing that can be read', '<html>'],
    ['no event', { errors: [{ pointer: '', detail: 'wrong' }] }],
    ['an event that was not sent', { errors: [{ pointer: '/events/7/steam_id', detail: 'wrong' }] }],
    ['nulls', { errors: [null, { pointer: null }] }],
  ])('finds invalid events by smaller batches when the response names %s', (_, response) => {
    const [, , first, second, third, fourth] = play(
      load(),
      comes(4),
      send(400, response),
      send(400, response),
      send(400, response),
      send(200),
    );
    expect([first, second, third, fourth].map((after) => after?.sent?.length)).toEqual([4, 2, 1, 3]);
    expect(third).toMatchObject({ waiting: 3, warnings: [expect.stringContaining('1 events were refused')] });
    expect(players(fourth)).toEqual(['1', '2', '3']);
  });

  it('halves a batch that is too large', () => {
    const [, , large, half] = play(load(), comes(4), send(413), send(200));
    expect([large?.sent?.length, half?.sent?.length]).toEqual([4, 2]);
    expect(half).toMatchObject({ waiting: 2, warnings: [] });
  });

  it('reports online players every hour', () => {
    const steps = play(load(), { Do: 'stay' }, { Do: 'hour' }, { Do: 'hour' });
    expect(steps.map(({ waiting }) => waiting)).toEqual([0, 0, 1, 2]);
  });
});

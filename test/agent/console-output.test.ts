// What a game server prints for a console command is in its result: replies, console lines, cut to size, never typed late.
import { outputOf } from '../../agent/src/commands/console-output.ts';
import { cutDetail, type Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { FakeRcon } from './support/rcon.ts';
import { webrconAt } from './support/rust-instance.ts';

describe('outputOf', () => {
  test.each([
    ['as it is', 'one\n\ttwo\n', 'one\n\ttwo'],
    ['without colours', '\u001b[31mred\u001b[0m', 'red'],
    ['without control characters', 'a\0b\r\nc\u0007', 'ab\nc'],
    ['with whole characters only', 'a\ud800b', 'a\ufffdb'],
    ['that is nothing', '\n', ''],
  ])('gives text %s', (_what, text, expected) => {
    expect(outputOf(text, 'reply')).toEqual({ text: expected, is_truncated: false, source: 'reply' });
  });

  test.each([
    ['x'.repeat(16_384), 16_384, false],
    ['x'.repeat(16_385), 16_384, true],
    ['ü'.repeat(8_192), 16_384, false],
    [`x${'ü'.repeat(8_192)}`, 16_383, true],
    [`x${'🦀'.repeat(8_192)}`, 16_381, true],
    ['x'.repeat(5_000_000), 16_384, true],
  ])('gives at most 16 KiB, in whole characters', (text, bytes, isTruncated) => {
    const output = outputOf(text, 'console');
    expect([Buffer.byteLength(output.text), output.is_truncated]).toEqual([bytes, isTruncated]);
    expect(text.startsWith(output.text)).toBe(true);
  });
});

test('details are text that the platform can keep', () => {
  expect(cutDetail('a\0b')).toBe('ab');
  expect(cutDetail(`${'x'.repeat(999)}🦀`)).toBe(`${'x'.repeat(999)}\ufffd`);
});

let stage: Stage;
let rcon: FakeRcon;

beforeEach(async () => {
  rcon = await FakeRcon.open();
  stage = await Stage.open();
  stage.agent.configure([
    { game: 'rust' },
    { name: 'remote', game: 'rust', ...webrconAt(stage, rcon.port) },
    { name: 'slow', game: 'rust', ready_pattern: 'never said', ready_after_seconds: 8 },
  ]);
  await stage.startAgent();
});
afterEach(async () => {
  const { violations } = stage.platform;
  await stage.close();
  await rcon.close();
  expect(violations).toEqual([]);
});

type Result = Schemas['CommandResult'];

async function send(line: string, instance = 'main', more: object = { wants_output: true }) {
  const command = stage.platform.command('type', instance, { args: { line, by: 'owner', ...more } });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return command;
}

const run = async (...args: Parameters<typeof send>): Promise<Result> =>
  stage.platform.resultOf((await send(...args)).id);

/** Starts it and waits for its RCON. */
async function startRemote(): Promise<void> {
  await stage.platform.run('start', 'remote');
  await stage.platform.untilLine('RCON is connected', 'remote');
}

test('without RCON it is what the console printed after the line', async () => {
  await stage.platform.run('start');
  expect(await run('hello')).toMatchObject({
    status: 'sent',
    detail: 'The line was typed at the console; nothing confirms what the game server made of it.',
    output: { text: 'you said hello', is_truncated: false, source: 'console' },
  });
  const complaint = await run('error of some kind');
  expect(complaint.output).toMatchObject({ text: 'of some kind', source: 'console' });
  expect((await run('env')).output?.text).toBe('env null');
});

test('a server that does not stop printing is followed for a limited time', async () => {
  await stage.platform.run('start');
  const { output } = await run('flood 4000');
  expect(output).toMatchObject({ text: expect.stringMatching(/^y?(\ny)*$/), source: 'console' });
  expect(Buffer.byteLength(output?.text ?? '')).toBeLessThanOrEqual(16_384);
});

test('a command that wants no output has none', async () => {
  await stage.platform.run('start');
  expect(await run('hello', 'main', {})).not.toHaveProperty('output');
});

test('with RCON it is the reply', async () => {
  rcon.reply = (command) =>
    command === 'nonsense' ? 'Unknown command: nonsense' : `${command} of the secret`;
  await startRemote();
  expect(await run('status', 'remote')).toMatchObject({
    status: 'succeeded',
    detail: 'The line was typed at the console; the game server has taken it.',
    output: { text: 'status of the secret', is_truncated: false, source: 'reply' },
  });
  expect(await run('nonsense', 'remote')).toMatchObject({
    status: 'failed',
    error_code: 'game_refused',
    detail: 'The game server has no such command.',
    output: { text: 'Unknown command: nonsense', source: 'reply' },
  });
});

test('nothing is typed at an instance that does not run', async () => {
  const result = await run('hello');
  expect(result).toMatchObject({ status: 'failed', error_code: 'not_running' });
  expect(result).not.toHaveProperty('output');
});

test('it is typed while the instance starts, and what waits its turn is not typed once it has expired', async () => {
  const { platform } = stage;
  const start = platform.command('start', 'slow');
  await platform.send(start);
  await platform.untilLine('started', 'slow');
  const late = platform.command('type', 'slow', {
    args: { line: 'late', by: 'owner' },
    expires_at: new Date(Date.now() + 2_000).toISOString(),
  });
  expect(await platform.send(late)).toMatchObject({ accepted: true });
  expect(await run('now', 'slow')).toMatchObject({ status: 'sent', output: { text: 'you said now' } });
  expect(platform.results.map(({ command_id }) => command_id)).not.toContain(start.id);
  expect(await platform.resultOf(late.id)).toMatchObject({
    status: 'failed',
    error_code: 'expired',
    detail: expect.stringContaining('it was not carried out'),
  });
  expect(platform.lines('slow').filter(({ text }) => text === 'late')).toEqual([]);
});

test('an agent that is killed before the reply never types the line again', async () => {
  rcon.reply = () => undefined;
  await startRemote();
  const { id } = await send('kick everybody', 'remote');
  await until(() => rcon.commands.includes('kick everybody'), 'the line');
  await stage.agent.end('SIGKILL');
  await stage.startAgent();
  const result = await stage.platform.resultOf(id);
  expect(result).toMatchObject({ status: 'failed', error_code: 'interrupted' });
  expect(result).not.toHaveProperty('output');
  await stage.platform.untilLine('RCON is connected', 'remote');
  expect(rcon.commands.filter((command) => command === 'kick everybody')).toHaveLength(1);
});

// Commands that become a line at the console: what is typed, by whom it is shown, and what never becomes two lines.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../agent/src/messages.ts';
import { Stage } from './support/agent.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  stage.agent.configure([
    { game: 'rust' },
    { name: 'stopped', game: 'rust' },
    { name: 'slower', game: 'rust', ready_pattern: 'never said', ready_after_seconds: 5 },
    { name: 'slow', ready_pattern: 'never said', ready_after_seconds: 1 },
  ]);
  await stage.startAgent();
  await stage.platform.run('start');
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

type Verb = Schemas['CommandVerb'];

async function run(verb: Verb, args: object, instance = 'main'): Promise<Schemas['CommandResult']> {
  const command = stage.platform.command(verb, instance, { args: { ...args } });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return stage.platform.resultOf(command.id);
}

test.each([
  ['announce', { message: 'Be kind, no "quit"', by: 'Rules' }, 'say Be kind, no "quit"'],
  ['type', { line: 'server.save; status', by: 'Hourly save' }, 'server.save; status'],
  ['reload_plugin', { plugin: 'Kits', by: 'Hourly kits' }, 'oxide.reload Kits'],
] as const)('%s is typed once, and shown with who had it typed', async (verb, args, line) => {
  const { platform } = stage;
  expect(await run(verb, args)).toMatchObject({
    status: 'sent',
    detail: `"${line}" was typed at the console; nothing confirms what the game server made of it.`,
  });
  await platform.untilLine(`you said ${line}`);
  const inputs = platform.lines().filter(({ stream, text }) => stream === 'input' && text === line);
  expect(inputs).toMatchObject([{ by: args.by }]);
  expect(platform.lines().filter(({ text }) => text === `you said ${line}`)).toHaveLength(1);
});

test('an announcement whose turn comes after it has expired is not made', async () => {
  const { platform } = stage;
  const start = platform.command('start', 'slower');
  expect(await platform.send(start)).toMatchObject({ accepted: true });
  const args = { message: 'The server restarts in 10 seconds.', by: 'Nightly restart' };
  const expires_at = new Date(Date.now() + 3_000).toISOString();
  const announcement = platform.command('announce', 'slower', { args, expires_at });
  expect(await platform.send(announcement)).toMatchObject({ accepted: true });
  expect(await platform.resultOf(start.id)).toMatchObject({ status: 'succeeded' });
  expect(await platform.resultOf(announcement.id)).toMatchObject({
    status: 'failed',
    error_code: 'expired',
  });
  expect(platform.lines().some(({ text }) => text.includes(args.message))).toBe(false);
});

const aster = { steam_id: '76561197960287930', player_name: '"; quit; "', by: 'Timed commands' };

test('lines about a player are filled in and typed in their order', async () => {
  const { platform } = stage;
  const lines = ['greet {steam_id}', 'say "Hi {player_name}"', 'say {player_name}'];
  expect(await run('type_lines', { lines, ...aster })).toMatchObject({
    status: 'sent',
    detail: '3 lines were typed at the console; nothing confirms what the game server made of it.',
  });
  await platform.untilLine(`you said say "'; quit; '"`);
  const inputs = platform.lines().filter(({ by }) => by === aster.by);
  expect(inputs.map(({ text }) => text)).toEqual([
    'greet 76561197960287930',
    `say "Hi '; quit; '"`,
    `say "'; quit; '"`,
  ]);
});

test('none of the lines is typed when one stands for nothing', async () => {
  const lines = ['say first', 'say {item_name}'];
  expect(await run('type_lines', { lines, ...aster })).toMatchObject({
    status: 'failed',
    detail: 'The command has {item_name}, which is not a known placeholder.',
  });
  expect(await run('type_lines', { lines: ['say first'], ...aster }, 'stopped')).toMatchObject({
    status: 'failed',
    error_code: 'not_running',
  });
  expect(stage.platform.lines().filter(({ text }) => text === 'say first')).toEqual([]);
});

test('plugins of Carbon are reloaded by its own command', async () => {
  const folder = join(stage.agent.directory, 'carbon');
  mkdirSync(folder);
  expect(await run('reload_plugin', { plugin: 'Kits', by: 'x' })).toMatchObject({ status: 'sent' });
  await stage.platform.untilLine('you said c.reload Kits');
  rmSync(folder, { recursive: true });
});

test('nothing is typed at an instance that does not run', async () => {
  expect(await run('announce', { message: 'x', by: 'x' }, 'stopped')).toMatchObject({
    status: 'failed',
    error_code: 'not_running',
  });
});

test.each<[Verb, object]>([
  ['announce', { message: 'hello\nquit', by: 'x' }],
  ['announce', { message: 'hello\rquit', by: 'x' }],
  ['announce', { message: 'hello\u2028quit', by: 'x' }],
  ['announce', { message: 'hello; quit', by: 'x' }],
  ['announce', { message: '', by: 'x' }],
  ['announce', { line: 'quit', by: 'x' }],
  ['announce', {}],
  ['type', { line: 'status\nquit', by: 'x' }],
  ['type', { line: 'status\0', by: 'x' }],
  ['type', { line: 'status' }],
  ['type_lines', { lines: ['status\nquit'], ...aster }],
  ['type_lines', { lines: [], ...aster }],
  ['type_lines', { lines: ['status'], ...aster, steam_id: 'quit' }],
  ['reload_plugin', { plugin: '*', by: 'x' }],
  ['reload_plugin', { plugin: 'Kits Other', by: 'x' }],
  ['reload_plugin', { plugin: 'Kits\nquit', by: 'x' }],
])('%s with %j is refused and never in the journal', async (verb, args) => {
  const { agent, platform } = stage;
  const command = platform.command(verb, 'main', { args: { ...args } });
  expect(await platform.send(command)).toMatchObject({ accepted: false, reason: 'invalid' });
  expect(agent.journal()).not.toContain(command.id);
});

test('a line waits for the start before it, and does not cut that short', async () => {
  const { agent, platform } = stage;
  const start = platform.command('start', 'slow');
  const line = platform.command('type', 'slow', { args: { line: 'hello', by: 'x' } });
  await platform.send(start);
  await platform.send(line);
  expect(await platform.resultOf(line.id)).toMatchObject({ status: 'sent' });
  const { detail } = await platform.resultOf(start.id);
  expect(detail).toMatch(/^The process runs with pid \d+\.$/);
  expect(agent.starts('slow')).toHaveLength(1);
});

// Games other than Rust: what an instance can do is reported, typed in that game's own words, and never called done unseen.
import { consoleCommandsOf } from '../../agent/src/games.ts';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
  stage.agent.configure([
    { name: 'trains', game: 'openttd' },
    { name: 'arena', game: 'teeworlds' },
    { name: 'own', console: { announce: 'broadcast "{message}"', save: 'store world' } },
    { name: 'mute', game: 'minecraft', console: { announce: null } },
    { name: 'unknown', game: 'a-game-of-mine' },
    { name: 'modded', game: 'hurtworld', console: { reload_plugin: 'oxide.reload {plugin}' } },
  ]);
  await stage.startAgent();
  for (const name of ['trains', 'arena', 'own', 'mute', 'unknown', 'modded'])
    await stage.platform.run('start', name);
});
afterAll(async () => {
  const { violations } = stage.platform;
  await stage.close();
  expect(violations).toEqual([]);
});

async function run(verb: Schemas['CommandVerb'], args: object, instance: string) {
  const command = stage.platform.command(verb, instance, { args: { ...args } });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  return stage.platform.resultOf(command.id);
}

async function typed(instance: string): Promise<string[]> {
  const { lines = [] } = await stage.platform.tail({ instance });
  return lines.flatMap(({ stream, text }) => (stream === 'input' ? text : []));
}

test('heartbeats say what each instance can do', async () => {
  await until(() => stage.platform.heartbeats.length > 0, 'a heartbeat');
  const reports = new Map(
    stage.platform.heartbeats.at(-1)?.instances.map(({ name, capabilities }) => [name, capabilities]),
  );
  expect(Object.fromEntries(reports)).toEqual({
    trains: ['announcements', 'console_input', 'console_output', 'saves'],
    arena: [],
    own: ['announcements', 'console_input', 'console_output', 'saves'],
    mute: ['console_input', 'console_output', 'saves'],
    unknown: ['console_input', 'console_output'],
    modded: ['console_input', 'console_output', 'plugin_reloads'],
  });
});

test.each([
  ['trains', 'Be kind, no "quit"', `say "Be kind, no 'quit'"`],
  ['own', 'Back \\ soon\\', `broadcast "Back \\ soon"`],
] as const)('%s gets its own command, which nothing confirms', async (instance, message, line) => {
  expect(await run('announce', { message, by: 'Rules' }, instance)).toMatchObject({
    status: 'sent',
    detail: `"${line}" was typed at the console; nothing confirms what the game server made of it.`,
  });
  expect(await typed(instance)).toContain(line);
});

test('a line that is typed, or a reload, is sent and not succeeded', async () => {
  expect(await run('type', { line: 'clients', by: 'x' }, 'trains')).toMatchObject({ status: 'sent' });
  expect(await run('reload_plugin', { plugin: 'Kits', by: 'x' }, 'modded')).toMatchObject({ status: 'sent' });
  expect(await typed('modded')).toEqual(['oxide.reload Kits']);
  const aster = { steam_id: '76561197960287930', player_name: 'Aster', by: 'x' };
  expect(await run('type_lines', { lines: ['a {steam_id}', 'b'], ...aster }, 'trains')).toMatchObject({
    status: 'sent',
  });
});

test.each([
  ['announce', { message: 'hello', by: 'x' }, 'arena'],
  ['announce', { message: 'hello', by: 'x' }, 'mute'],
  ['announce', { message: 'hello', by: 'x' }, 'unknown'],
  ['type', { line: 'hello', by: 'x' }, 'arena'],
  ['reload_plugin', { plugin: 'Kits', by: 'x' }, 'trains'],
  ['reload_plugin', { plugin: 'Kits', by: 'x' }, 'unknown'],
] as const)('%s of %j at %s fails, and nothing is typed', async (verb, args, instance) => {
  const before = await typed(instance);
  expect(await run(verb, args, instance)).toMatchObject({ status: 'failed', error_code: 'not_supported' });
  expect(await typed(instance)).toEqual(before);
});

test('a backup has the game save first, and says that nothing confirms it', async () => {
  const created = await run('create_backup', { kind: 'manual', paths: ['starts-own.txt'] }, 'own');
  expect(created).toMatchObject({ status: 'succeeded' });
  expect(created.detail).toContain(
    '"store world" was typed before; nothing confirms that the game was saved.',
  );
  expect(await typed('own')).toContain('store world');
});

test('a backup waits for the line by which the game says that it has saved, and for no other', async () => {
  const command = stage.platform.command('create_backup', 'mute', {
    args: { kind: 'manual', paths: ['starts-mute.txt'] },
  });
  expect(await stage.platform.send(command)).toMatchObject({ accepted: true });
  await until(async () => (await typed('mute')).includes('save-all'), 'the save command');
  const printed = (text: string) =>
    run('type', { line: `raw ${Buffer.from(`${text}\n`).toString('base64')}`, by: 'x' }, 'mute');
  await printed('[12:00:00] [Server thread/INFO]: <Aster> Saved the game');
  await printed('[12:00:00] [Server thread/INFO]: Saving the game (this may take a moment!)');
  await printed('[12:00:01] [Server thread/INFO]: Saved the game');
  const result = await stage.platform.resultOf(command.id);
  expect(result).toMatchObject({ status: 'succeeded' });
  expect(result.detail).not.toContain('nothing confirms');
});

test.each([
  ['minecraft', '[12:00:00] [Server thread/INFO]: Saved the game', true],
  ['minecraft', '[12:00:00 INFO]: Saved the game', true],
  ['minecraft', '[12:00:00] [Server thread/INFO] [minecraft/MinecraftServer]: Saved the game', true],
  ['minecraft', '[12:00:00] [Server thread/INFO]: <Aster> ]: Saved the game', false],
  ['minecraft', '[12:00:00] [Server thread/INFO]: [Aster: Saved the game]', false],
  ['rust', 'Saved 84,211 ents, cache(0.41), write(0.10), disk(0.02).', true],
  ['rust', '[CHAT] Aster[76561197960287930] : Saved 84,211 ents, cache(0.41)', false],
])('%s says by "%s" that it has saved: %s', (game, line, says) => {
  expect(consoleCommandsOf({ game, console: {} }).saved?.test(line)).toBe(says);
  expect(consoleCommandsOf({ game, console: { save: 'another' } }).saved).toBeNull();
});

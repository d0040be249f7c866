// Rust over WebRCON: figures, lines and commands of the simulated server, and what a hostile one cannot do.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Schemas } from '../../agent/src/messages.ts';
import { until } from '../support/until.ts';
import { Stage } from './support/agent.ts';
import { FakeRcon } from './support/rcon.ts';
import { startRust, webrconAt } from './support/rust-instance.ts';
import { patient } from '../support/patience.ts';

const aster = '76561197960287930';
const offlinePlayer = '76561197960299999';

let stage: Stage;
let fake: FakeRcon | undefined;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  expect(stage.platform.violations).toEqual([]);
  await stage.close();
  await fake?.close();
  fake = undefined;
});

/** A running simulated server with three players who stay, and its agent. */
const startPlayed = (...more: string[]) => startRust(stage, ['--players', '3', ...more]);

/** A plain game server that seems to speak RCON as the test wants it to. */
async function startFake(prepare: (rcon: FakeRcon) => void = () => undefined): Promise<FakeRcon> {
  const rcon = await FakeRcon.open();
  fake = rcon;
  prepare(rcon);
  stage.agent.configure([webrconAt(stage, rcon.port)]);
  await stage.startAgent();
  await stage.platform.run('start');
  return rcon;
}

async function send(verb: Schemas['CommandVerb'], args: Record<string, unknown>) {
  const command = stage.platform.command(verb, 'main', { args });
  const reply = await stage.platform.send(command);
  return reply.accepted ? stage.platform.resultOf(command.id) : reply;
}

const askPlayers = () =>
  stage.platform.request('PlayersReply', 'ask.players', {
    v: 1,
    host_id: stage.platform.hostId,
    instance: 'main',
  });

const textsOf = (part: string) =>
  stage.platform.lines().flatMap(({ text }) => (text.includes(part) ? [text] : []));

/** Waits until the console has the line, which may have come before the agent reached the platform. */
const untilKept = (part: string) =>
  until(async () => (await stage.platform.tail()).lines?.some(({ text }) => text.includes(part)), part);

describe('beside a Rust server', () => {
  it('puts its figures into the heartbeats and leaves them out once it is stopped', async () => {
    await startPlayed();
    const newest = () => stage.platform.heartbeats.at(-1)?.instances[0];
    await until(() => newest()?.players === 3, 'three players');
    expect(newest()).toMatchObject({
      max_players: 100,
      queued: 0,
      fps: 60,
      entities: 84_211,
      map: 'Procedural Map',
      seed: 1_337,
      world_size: 3_500,
    });
    const stopped = await stage.platform.run('stop');
    expect(stopped.detail).toContain('with exit code 0, asked by the command "quit"');
    await until(() => newest()?.state === 'stopped' && newest()?.players === undefined, 'no figures');
  });

  it('reports how many wait while the server is full', async () => {
    await startPlayed('+server.maxplayers', '2');
    const newest = () => stage.platform.heartbeats.at(-1)?.instances[0];
    await until(() => newest()?.queued === 1, 'one player in the queue');
    expect(newest()).toMatchObject({ players: 2, max_players: 2 });
    await stage.platform.type('kick Aster idle');
    await stage.platform.untilLine('Cedar has entered the game');
    await until(() => newest()?.queued === 0, 'an empty queue');
    expect(newest()).toMatchObject({ players: 2, max_players: 2 });
  });

  it('names the framework of its plugins', async () => {
    await startPlayed('--modding', 'carbon');
    expect(await stage.platform.untilLine('RCON is connected')).toMatchObject({
      stream: 'system',
      text: 'RCON is connected (carbon 2.0.208).',
    });
  });

  it('shows once what the server both prints and broadcasts, chat too', async () => {
    await startPlayed();
    await stage.platform.type('say hello everybody');
    await stage.platform.untilLine('hello everybody');
    await stage.platform.type('kick Birch idle');
    await stage.platform.untilLine('Birch disconnecting');
    await stage.platform.type('status'); // comes after any duplicate
    await stage.platform.untilLine('hostname: Simulated');
    expect(textsOf('[CHAT]')).toEqual(['[CHAT] SERVER[0] : hello everybody']);
    expect(textsOf('Birch disconnecting')).toHaveLength(1);
  });

  it('shows the reply to a typed line', async () => {
    await startPlayed();
    expect(await stage.platform.type('server.seed')).toEqual({ v: 1, ok: true });
    expect(await stage.platform.untilLine('server.seed: "1337"')).toMatchObject({ stream: 'stdout' });
    expect(textsOf('server.seed').slice(-2)).toEqual(['server.seed', 'server.seed: "1337"']);
  });

  it('returns who plays', async () => {
    await startPlayed();
    const { ok, players, at } = await askPlayers();
    expect(ok).toBe(true);
    expect(players?.map(({ name }) => name)).toEqual(['Aster', 'Birch', 'Cedar']);
    expect(players?.[0]).toEqual({
      steam_id: aster,
      name: 'Aster',
      ping_ms: expect.any(Number),
      connected_seconds: expect.any(Number),
    });
    expect(Math.abs(Date.parse(at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('kicks, bans and unbans, each with how it ended', async () => {
    await startPlayed();
    expect(await send('kick_player', { steam_id: aster, reason: 'idle' })).toMatchObject({
      status: 'succeeded',
      detail: 'Aster was kicked.',
    });
    expect(await send('kick_player', { steam_id: aster })).toMatchObject({
      status: 'failed',
      error_code: 'player_not_found',
    });
    const birch = '76561197960287931';
    expect(await send('ban_player', { steam_id: birch, reason: 'say "x"; quit' })).toMatchObject({
      status: 'succeeded',
      detail: 'Birch is banned.',
    });
    await stage.platform.untilLine('Birch disconnecting: Kicked');
    expect(await send('ban_player', { steam_id: birch, reason: 'again' })).toMatchObject({
      status: 'succeeded',
      detail: `${birch} was banned already.`,
    });
    expect(
      await send('ban_player', { steam_id: birch, reason: 'for an hour', only_if_free: true }),
    ).toMatchObject({
      status: 'failed',
      error_code: 'already_banned',
    });
    expect(
      await send('ban_player', { steam_id: offlinePlayer, reason: 'known elsewhere', only_if_free: true }),
    ).toMatchObject({
      status: 'succeeded',
    });
    expect(await send('unban_player', { steam_id: birch })).toMatchObject({
      detail: `${birch} is no longer banned.`,
    });
    expect(await send('unban_player', { steam_id: birch })).toMatchObject({
      status: 'succeeded',
      detail: `${birch} was not banned.`,
    });
  });

  it('says a message in the chat, to an online player', async () => {
    await startPlayed();
    expect(await send('message_player', { steam_id: aster, text: 'a "quoted" word\\' })).toMatchObject({
      status: 'succeeded',
    });
    await stage.platform.untilLine("[CHAT] SERVER[0] : Aster: a 'quoted' word");
    expect(await send('message_player', { steam_id: offlinePlayer, text: 'anybody?' })).toMatchObject({
      error_code: 'player_not_found',
    });
  });

  it('connects again after the server was restarted, and after the agent was killed', async () => {
    await startPlayed();
    await stage.platform.run('restart');
    await until(() => textsOf('RCON is connected').length === 2, 'the second connection');
    await stage.agent.end('SIGKILL');
    await stage.startAgent();
    await until(async () => (await askPlayers()).players?.length === 3, 'the third connection');
  });
});

describe('with the wrong password', () => {
  it('says so, and types and stops over the plain input instead', async () => {
    await startPlayed();
    await stage.agent.end();
    webrconAt(stage, 1, 'another password');
    await stage.startAgent();
    await untilKept('the RCON password is wrong');
    expect(await askPlayers()).toMatchObject({ ok: false, error: { code: 'game_unreachable' } });
    expect(await send('kick_player', { steam_id: aster })).toMatchObject({ error_code: 'game_unreachable' });
    await stage.platform.type('status');
    await stage.platform.untilLine('players : 3');
    expect((await stage.platform.run('stop')).status).toBe('succeeded');
    expect(stage.agent.output).not.toContain('another password');
  });
});

describe('arguments of commands', () => {
  const hostile = [
    ['kick_player', { steam_id: `${aster}\nquit` }],
    ['kick_player', { steam_id: '1' }],
    ['kick_player', { steam_id: '76561197000000000' }],
    ['kick_player', { steam_id: Number(aster) }],
    ['kick_player', { steam_id: aster, reason: 'a\nquit' }],
    ['ban_player', { steam_id: aster, reason: 'a\rquit' }],
    ['ban_player', { steam_id: aster, reason: 'a\u2028quit' }],
    ['ban_player', { steam_id: aster }],
    ['unban_player', { steam_id: aster, reason: 'x' }],
    ['message_player', { steam_id: aster, text: 'x'.repeat(201) }],
    ['message_player', { steam_id: aster, text: 'a\u0000b' }],
  ] as const;

  it('are refused unless they are those of the contract', async () => {
    const rcon = await startFake();
    await stage.platform.untilLine('RCON is connected');
    for (const [verb, args] of hostile) {
      expect([args, await send(verb, args)]).toMatchObject([args, { accepted: false, reason: 'invalid' }]);
    }
    expect(rcon.commands).toEqual([]);
  });

  it('of a ban count once the game has taken them, even if the rest fails', async () => {
    const rcon = await startFake();
    await stage.platform.untilLine('RCON is connected');
    rcon.reply = (command) => {
      if (command !== 'server.writecfg') return 'Banned User';
      for (const socket of rcon.sockets) socket.terminate();
      return undefined;
    };
    expect(await send('ban_player', { steam_id: offlinePlayer, reason: 'Cheating' })).toMatchObject({
      status: 'succeeded',
      detail: expect.stringContaining('is not known'),
    });
  });

  it('never leave their quotes', async () => {
    const rcon = await startFake(({ players }) => {
      players.push({ SteamID: aster, DisplayName: 'a" "b\n;quit\\', Ping: 1, ConnectedSeconds: 1 });
    });
    await stage.platform.untilLine('RCON is connected');
    rcon.reply = (command) => (command.startsWith('banid') ? 'Banned User' : '');
    await send('ban_player', { steam_id: aster, reason: 'x" ; quit "\\' });
    expect(rcon.commands).toEqual([
      `banid ${aster} "a' 'b;quit" "x' ; quit '"`,
      'server.writecfg',
      `kick ${aster} "x' ; quit '"`,
    ]);
  });
});

describe('a server that misbehaves', () => {
  it('and sends garbage is left with a remark, however often it does', async () => {
    const rcon = await startFake((server) => {
      server.greet = (socket) => {
        for (let index = 0; index < 30; index += 1) socket.send(index % 2 === 0 ? '{"Message": 7' : 'null');
      };
    });
    await stage.platform.untilLine('are not WebRCON');
    await until(() => rcon.connections >= 3, 'further attempts');
    expect(textsOf('RCON is not connected')).toHaveLength(1);
    rcon.greet = undefined;
    await stage.platform.untilLine('RCON is connected');
  });

  it('and sends a huge frame is cut off, without its memory', async () => {
    await startFake((server) => {
      server.greet = (socket) => socket.send(`{"Message":"${'x'.repeat(8 * 1024 * 1024)}"}`);
    });
    const before = stage.agent.rssBytes();
    await stage.platform.untilLine('larger than 4 MiB');
    expect(stage.agent.rssBytes() - before).toBeLessThan(64 * 1024 * 1024);
    expect((await stage.platform.run('stop')).status).toBe('succeeded');
  });

  it('and never replies is sent no more lines than it may owe replies, and the others are said to have failed', async () => {
    const rcon = await startFake((server) => (server.reply = () => undefined));
    await stage.platform.untilLine('RCON is connected');
    const replies = await Promise.all(Array.from({ length: 120 }, () => stage.platform.type('hello')));
    const refused = replies.filter(({ ok }) => !ok);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]).toMatchObject({
      error: { detail: 'Too many commands are waiting for the game server.' },
    });
    expect(rcon.commands.filter((command) => command === 'hello')).toHaveLength(120 - refused.length);
  });

  it('and never replies delays no stop', async () => {
    const rcon = await startFake((server) => (server.reply = () => undefined));
    await stage.platform.untilLine('RCON is connected');
    const lines = ['one', 'two', 'three', 'four', 'five'];
    const typing = stage.platform.command('type_lines', 'main', {
      args: { lines, steam_id: aster, player_name: 'Aster', by: 'owner' },
    });
    expect(await stage.platform.send(typing)).toMatchObject({ accepted: true });
    await until(() => rcon.commands.includes('one'), 'the first line');
    const begunMs = performance.now();
    expect(await stage.platform.run('stop')).toMatchObject({ status: 'succeeded' });
    expect(performance.now() - begunMs).toBeLessThan(patient(30_000)); // each reply would be waited for 10 s
    expect(await stage.platform.resultOf(typing.id)).toMatchObject({ status: 'sent' });
    expect(rcon.commands).toEqual(lines);
  });

  it('and is no WebRCON server at all ends in a remark', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      stage.agent.configure([webrconAt(stage, (server.address() as AddressInfo).port)]);
      await stage.startAgent();
      await stage.platform.run('start');
      await stage.platform.untilLine('is no WebRCON server (status 404)');
    } finally {
      server.close();
    }
  });

  it('and floods is shown in part, with the number of what is missing', async () => {
    const rcon = await startFake();
    await stage.platform.untilLine('RCON is connected');
    const lines = 40_000;
    for (let index = 0; index < lines; index += 1) rcon.say(`flood ${index}`);
    await until(() => textsOf('lines skipped').length > 0, 'the remark');
    expect(textsOf('flood ').length).toBeLessThan(lines);
    expect(await stage.platform.type('still there')).toEqual({ v: 1, ok: true });
    await until(() => rcon.commands.includes('still there'), 'the command');
  });

  it('and goes away during a command fails that command', async () => {
    const rcon = await startFake(({ players }) => players.push({ SteamID: aster, DisplayName: 'Aster' }));
    await stage.platform.untilLine('RCON is connected');
    rcon.reply = () => {
      for (const socket of rcon.sockets) socket.terminate();
      return undefined;
    };
    expect(await send('kick_player', { steam_id: aster })).toMatchObject({
      status: 'failed',
      error_code: 'game_unreachable',
    });
    await until(() => textsOf('RCON is connected').length === 2, 'the next connection');
  });
});

describe('an instance without RCON', () => {
  it('is reported as uncertain', async () => {
    stage.agent.configure([{}]);
    await stage.startAgent();
    await stage.platform.run('start');
    expect(await askPlayers()).toMatchObject({ ok: false, error: { code: 'not_supported' } });
    expect(await send('kick_player', { steam_id: aster })).toMatchObject({ error_code: 'not_supported' });
  });
});

// The console commands that the simulated server knows, with the replies of a real one.
import { appendFileSync } from 'node:fs';
import type { Game } from './game.ts';
import type { Plugins } from './plugins.ts';
import type { SaveDirectory } from './save-directory.ts';
import type { Settings } from './settings.ts';

export interface Server {
  settings: Settings;
  game: Game;
  saves: SaveDirectory | undefined;
  plugins: Plugins | undefined;
  log: (line: string) => void;
  /** What was logged, the newest last. */
  history: readonly string[];
  chat: (player: { id: string; name: string }, text: string) => void;
  stop: (why: string) => void;
}

type Command = (server: Server, args: string[], text: string) => string;

const commands: Record<string, Command> = {
  status: ({ game, settings }) =>
    [
      'hostname: Simulated Rust server',
      `players : ${game.online.length} (${settings.maxPlayers} max) (${game.queue.length} queued) (0 joining)`,
      ...game.online.map(({ name }) => `  ${name}`),
    ].join('\n'),
  serverinfo: ({ game, settings, saves }) =>
    JSON.stringify({
      Hostname: 'Simulated Rust server',
      MaxPlayers: settings.maxPlayers,
      Players: game.online.length,
      Queued: game.queue.length,
      Joining: 0,
      EntityCount: game.entities,
      GameTime: '05/07/2024 13:45:10',
      Uptime: game.uptimeSeconds,
      Map: settings.level,
      Framerate: game.fps,
      Memory: 2048,
      MemoryUsageSystem: 8192,
      Collections: 12,
      NetworkIn: 0,
      NetworkOut: 0,
      Restarting: false,
      SaveCreatedTime: saves?.createdAt ?? new Date(game.startedAt).toISOString(),
      Version: 2511,
      Protocol: '2511.238.1',
    }),
  playerlist: ({ game }) =>
    JSON.stringify(
      game.online.map(({ id, name, ping, since }) => ({
        SteamID: id,
        OwnerSteamID: '0',
        DisplayName: name,
        Ping: ping,
        Address: '192.0.2.7:51234',
        ConnectedSeconds: Math.floor((Date.now() - since) / 1_000),
        VoiationLevel: 0,
        CurrentLevel: 0,
        UnspentXp: 0,
        Health: 100,
      })),
    ),
  say: ({ chat }, [text = ''], whole) => {
    chat({ id: '0', name: 'SERVER' }, whole.startsWith('"') ? text : whole);
    return '';
  },
  echo: ({ log }, _args, whole) => {
    log(whole);
    return '';
  },
  'console.search': ({ history }, [wanted = '']) =>
    JSON.stringify(
      history
        .filter((line) => line.toLowerCase().includes(wanted.toLowerCase()))
        .map((Message) => ({ Message, Stacktrace: '', Type: 'Log' })),
    ),
  'inventory.giveto': ({ settings, log }, args) => {
    if (settings.givenFile !== undefined) appendFileSync(settings.givenFile, `${args.join(' ')}\n`);
    log(`giving ${args.join(' ')}`);
    return '';
  },
  kick: ({ game }, [who = '', reason = '']) => {
    const player = game.find(who);
    if (player === undefined) return 'Player not found';
    game.kick(player, reason);
    return `Kicked: ${player.name}`;
  },
  banid: ({ game }, [id = '', name = '', reason = '']) => {
    if (!/^7656\d{13}$/.test(id)) return "This doesn't appear to be a 64bit steamid";
    if (game.bans.has(id)) return `User ${id} is already banned`;
    game.bans.set(id, { id, name, reason });
    return `Banned User: ${id} - "${name}" for "${reason}"`;
  },
  unban: ({ game }, [id = '']) => (game.bans.delete(id) ? `Unbanned User: ${id}` : `User ${id} isn't banned`),
  bans: ({ game }) =>
    JSON.stringify(
      [...game.bans.values()].map(({ id, name, reason }) => ({
        steamid: id,
        group: 'Banned',
        username: name,
        notes: reason,
        expiry: -1,
      })),
    ),
  'server.writecfg': ({ saves, game }) => {
    saves?.writeBans(game.bans.values());
    return 'Config Saved';
  },
  'server.save': ({ saves, game, log }) => {
    saves?.save();
    log(`Saved ${game.entities.toLocaleString('en')} ents, cache(0.41), write(0.10), disk(0.02).`);
    return '';
  },
  'server.seed': ({ settings }) => `server.seed: "${settings.mapSeed}"`,
  'server.worldsize': ({ settings }) => `server.worldsize: "${settings.worldSize}"`,
  'server.levelurl': ({ settings }) => `server.levelurl: "${settings.levelUrl}"`,
  'server.uptime': ({ game }) => `uptime: ${game.uptimeSeconds} s`,
  restart: ({ stop, chat }, [seconds = '300', message = '']) => {
    chat({ id: '0', name: 'SERVER' }, `Restarting in ${seconds} seconds: ${message}`);
    setTimeout(() => stop('restart'), Number(seconds) * 1_000);
    return '';
  },
  quit: ({ stop }) => {
    stop('quit');
    return '';
  },
};

/** Runs one line and answers what it replies; lines of the log come beside that. */
export function runLine(server: Server, line: string): string {
  const [, word = '', text = ''] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  const name = word.toLowerCase().replace(/^global\./, '');
  const args = argumentsIn(text);
  const fromFramework = server.plugins?.run(name, args);
  if (fromFramework !== undefined) return fromFramework;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command === undefined ? `Command '${word}' not found` : command(server, args, text);
}

/** Words, and what stands between quotes as one of them. */
function argumentsIn(text: string): string[] {
  return [...text.matchAll(/"((?:\\"|[^"])*)"|(\S+)/g)].map(([, inQuotes, word = '']) =>
    inQuotes === undefined ? word : inQuotes.replaceAll('\\"', '"'),
  );
}

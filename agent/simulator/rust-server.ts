// Plays a Rust server for demonstrations and tests: boots, prints, saves, speaks WebRCON and obeys console commands.
import { createInterface } from 'node:readline';
import { runLine } from './console-commands.ts';
import type { Server } from './console-commands.ts';
import { Game } from './game.ts';
import { Plugins } from './plugins.ts';
import { SaveDirectory } from './save-directory.ts';
import { readSettings } from './settings.ts';
import { openWebRcon } from './web-rcon.ts';
import type { WebRcon } from './web-rcon.ts';

const settings = readSettings(process.argv.slice(2));
const { identity, modding, bootMs, stopMs, playMs, level, mapSeed, worldSize, brokenSeed } = settings;
let rcon: WebRcon | undefined;
/** As many lines as a real server keeps. */
const maxHistory = 65_536;
const history: string[] = [];

function log(line: string): void {
  history.push(line);
  if (history.length > maxHistory) history.shift();
  console.log(line);
  rcon?.broadcast(line, 'Generic');
}

function chat({ id, name }: { id: string; name: string }, text: string): void {
  log(`[CHAT] ${name}[${id}] : ${text}`);
  const Time = Math.floor(Date.now() / 1_000);
  const said = { Channel: 0, Message: text, UserId: id, Username: name, Color: '#5af', Time };
  rcon?.broadcast(JSON.stringify(said), 'Chat');
}

function stop(why: string): void {
  log(`Saving and shutting down (${why})`);
  server.saves?.save();
  server.saves?.writeBans(server.game.bans.values());
  setTimeout(() => process.exit(0), stopMs);
}

const server: Server = {
  settings,
  game: new Game(settings, { log, chat }),
  saves: identity === undefined ? undefined : new SaveDirectory(identity, settings),
  plugins: modding === 'none' ? undefined : new Plugins(modding, log),
  log,
  history,
  chat,
  stop,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const reply = runLine(server, line);
  if (/^Command '.*' not found$/.test(reply)) console.error(reply);
  else if (reply !== '') console.log(reply);
});
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));

const steps = [
  `Command Line: -batchmode -nographics +server.level "${level}" +server.seed ${mapSeed} +server.worldsize ${worldSize}`,
  'Loading Prefab Bundle',
  `Generating procedural map of size ${worldSize} with seed ${mapSeed}`,
  'Saved 84,211 ents, cache(0.41), write(0.10), disk(0.02).',
  'SteamServer Initialized',
  'Server startup complete',
];
server.saves?.prepare();
if (identity !== undefined) server.plugins?.prepare();
for (const ban of server.saves?.readBans() ?? []) server.game.bans.set(ban.id, ban);
for (const step of steps) {
  if (step === steps.at(-1) && settings.rcon !== undefined)
    rcon = openWebRcon(settings.rcon, (line) => runLine(server, line));
  log(step);
  if (mapSeed === brokenSeed && step.startsWith('Generating')) {
    console.error('The map could not be generated.');
    process.exit(1);
  }
  await new Promise((resolve) => setTimeout(resolve, bootMs / steps.length));
}
server.game.open(settings.players);
if (server.plugins !== undefined) setInterval(() => server.plugins?.look(), 500);
if (playMs > 0) setInterval(() => server.game.move(), playMs);

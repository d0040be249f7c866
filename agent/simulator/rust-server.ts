// Plays a Rust server for demonstrations and tests: prints what one prints and obeys a few console commands.
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, 'boot-ms': { type: 'string', default: '1500' } },
});

let random = Number(values.seed) >>> 0;

/** Mulberry32: the same seed plays the same game. */
function next(): number {
  random = (random + 0x6d2b79f5) >>> 0;
  let t = random;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const names = [
  'Aster',
  'Birch',
  'Cedar',
  'Dahlia',
  'Elm',
  'Fern',
  'Ginkgo',
  'Hazel',
  'Iris',
  'Juniper',
  'Kapok',
  'Larch',
];
const online: string[] = [];
const startedAt = Date.now();

const steps = [
  'Command Line: -batchmode -nographics +server.level "Procedural Map" +server.seed 1337 +server.worldsize 3500',
  'Loading Prefab Bundle',
  'Generating procedural map of size 3500 with seed 1337',
  'Saved 84,211 ents, cache(0.41), write(0.10), disk(0.02).',
  'SteamServer Initialized',
  'Server startup complete',
];

async function boot(): Promise<void> {
  const pause = Number(values['boot-ms']) / steps.length;
  for (const step of steps) {
    console.log(step);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  setInterval(play, 2_000);
}

function play(): void {
  const name = names[Math.floor(next() * names.length)] ?? 'Aster';
  const at = online.indexOf(name);
  if (at === -1) {
    online.push(name);
    console.log(`${name} has entered the game`);
  } else if (next() < 0.4) {
    online.splice(at, 1);
    console.log(`${name} disconnecting: closing`);
  } else console.log(`[CHAT] ${name} : anybody selling scrap?`);
}

const commands: Record<string, (text: string) => void> = {
  status: () => {
    console.log(
      `hostname: Simulated Rust server\nplayers : ${online.length} (100 max) (0 queued) (0 joining)`,
    );
    for (const name of online) console.log(`  ${name}`);
  },
  say: (text) => console.log(`[CHAT] SERVER : ${text}`),
  'server.uptime': () => console.log(`uptime: ${Math.floor((Date.now() - startedAt) / 1000)} s`),
  quit: () => stop('quit'),
};

function stop(why: string): void {
  console.log(`Saving and shutting down (${why})`);
  process.exit(0);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [command = '', ...rest] = line.trim().split(' ');
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) console.error(`Command '${command}' not found`);
  else run(rest.join(' '));
});
process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));

await boot();

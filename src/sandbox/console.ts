// The consoles of simulated servers: lines that are typed, and what the server prints in return.
import { chat, leave } from './players.ts';
import { print, type SimulatedHost, type SimulatedServer } from './state.ts';

/** Types a line at the server's console and returns what it prints. */
export function typeLine(
  host: SimulatedHost,
  instance: string,
  nowMs: number,
  { line, by }: { line: string; by: string },
): string {
  const server = host.servers[instance];
  if (server === undefined) return '';
  print(server, `[${by}] ${line}`, nowMs, 'input', by);
  const reply = replyTo(host, instance, server, line, nowMs);
  for (const text of reply.split('\n').filter((one) => one !== '')) print(server, text, nowMs);
  return reply;
}

function replyTo(
  host: SimulatedHost,
  instance: string,
  server: SimulatedServer,
  line: string,
  nowMs: number,
): string {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  const { length } = server.players;
  if (word === 'status')
    return `hostname: Sandbox ${instance}\nplayers : ${length} (${server.maxPlayers} max) (0 queued) (0 joining)`;
  if (word === 'say') return `[CHAT] SERVER[0] : ${rest.join(' ')}`;
  if (word === 'server.save' || word === 'save')
    return 'Saved 84,211 ents, cache(0.41), write(0.10), disk(0.02).';
  if (word === 'kick') {
    const left = leave(host, instance, nowMs, rest[0] ?? '');
    return left === undefined ? 'Player not found' : `Kicked: ${left.name}`;
  }
  if (word === 'simulate.chat') {
    const spoken = chat(host, instance, nowMs, { steamId: rest[0] ?? '', text: rest.slice(1).join(' ') });
    return spoken === undefined ? 'Player not found' : '';
  }
  return '';
}

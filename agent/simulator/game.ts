// The simulated game: players who come, talk and go, who may be kicked and banned, and the server's figures.
import { chanceFrom } from './settings.ts';
import type { Settings } from './settings.ts';

export interface Player {
  id: string;
  name: string;
  ping: number;
  since: number;
}

export interface Ban {
  id: string;
  name: string;
  reason: string;
}

/** What the game says: a line of its log, or of the chat. */
export interface Voice {
  log: (line: string) => void;
  chat: (player: { id: string; name: string }, text: string) => void;
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

export class Game {
  readonly online: Player[] = [];
  /** Names of those who wait until somebody leaves the full server. */
  readonly queue: string[] = [];
  readonly bans = new Map<string, Ban>();
  readonly startedAt = Date.now();
  fps = 60;
  entities = 84_211;
  readonly #voice: Voice;
  readonly #chance: () => number;
  readonly #maxPlayers: number;

  constructor({ seed, maxPlayers }: Settings, voice: Voice) {
    this.#maxPlayers = maxPlayers;
    this.#voice = voice;
    this.#chance = chanceFrom(seed);
  }

  get uptimeSeconds(): number {
    return Math.floor((Date.now() - this.startedAt) / 1_000);
  }

  /** The first so many come. */
  open(players: number): void {
    for (const name of names.slice(0, players)) this.#come(name);
  }

  /** One player joins, leaves or says something. */
  move(): void {
    this.fps = 50 + Math.round(this.#chance() * 100) / 10;
    this.entities += Math.floor(this.#chance() * 20) - 5;
    const name = names[Math.floor(this.#chance() * names.length)] ?? 'Aster';
    const player = this.online.find((candidate) => candidate.name === name);
    if (player === undefined) this.#come(name);
    else if (this.#chance() < 0.4) this.#leave(player, 'closing');
    else this.#voice.chat(player, 'anybody selling scrap?');
  }

  find(idOrName: string): Player | undefined {
    return this.online.find(({ id, name }) => id === idOrName || name === idOrName);
  }

  kick(player: Player, reason: string): void {
    this.#leave(player, `Kicked: ${reason}`);
  }

  /** In, or into the queue while the server is full. Whoever waits already goes on waiting. */
  #come(name: string): void {
    if (this.bans.has(idOf(name)) || this.queue.includes(name)) return;
    if (this.online.length < this.#maxPlayers) this.#join(name);
    else this.queue.push(name);
  }

  #join(name: string): void {
    const id = idOf(name);
    const ping = 20 + Math.floor(this.#chance() * 80);
    this.online.push({ id, name, ping, since: Date.now() });
    this.#voice.log(`${name} has entered the game`);
  }

  #leave(player: Player, reason: string): void {
    this.online.splice(this.online.indexOf(player), 1);
    this.#voice.log(`${player.name} disconnecting: ${reason}`);
    const next = this.queue.shift();
    if (next !== undefined) this.#come(next);
  }
}

function idOf(name: string): string {
  return String(76561197960265728n + 22_202n + BigInt(names.indexOf(name)));
}

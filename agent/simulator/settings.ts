// Reads the command line of the simulated server: that of a real one, and a few switches of its own.

export interface Settings {
  /** Of the game's chance, not of its map: the same seed plays the same game. */
  seed: number;
  bootMs: number;
  /** Pause between two moves of the players; 0 keeps everybody where they are. */
  playMs: number;
  /** Players who are there from the start. */
  players: number;
  /** A map with this seed can't be made: the server ends with an error. 0 for none. */
  brokenSeed: number;
  /** How long it takes to end when it is asked to. */
  stopMs: number;
  modding: 'oxide' | 'carbon' | 'none';
  /** Without one nothing is written to disk. */
  identity: string | undefined;
  level: string;
  mapSeed: number;
  worldSize: number;
  levelUrl: string;
  maxPlayers: number;
  /** Where it is noted what players were given. */
  givenFile: string | undefined;
  rcon: { port: number; password: string } | undefined;
}

/** `--name value` is ours, `+name value` the game's; what starts with one dash means nothing here. */
export function readSettings(args: string[]): Settings {
  const values = new Map<string, string>();
  for (const [index, arg] of args.entries()) {
    if (/^(--|\+)/.test(arg)) values.set(arg, args[index + 1] ?? '');
  }
  const number = (name: string, unset: number) => Number(values.get(name) ?? unset);
  const password = values.get('+rcon.password') ?? '';
  const modding = values.get('--modding');
  return {
    seed: number('--seed', 1),
    bootMs: number('--boot-ms', 1_500),
    playMs: number('--play-ms', 2_000),
    players: number('--players', 0),
    brokenSeed: number('--broken-seed', 0),
    stopMs: number('--stop-ms', 0),
    modding: modding === 'carbon' || modding === 'none' ? modding : 'oxide',
    identity: values.get('+server.identity'),
    level: values.get('+server.level') ?? 'Procedural Map',
    mapSeed: number('+server.seed', 1_337),
    worldSize: number('+server.worldsize', 3_500),
    levelUrl: values.get('+server.levelurl') ?? '',
    givenFile: values.get('--given-file'),
    maxPlayers: number('+server.maxplayers', 100),
    // As in the game, an empty password leaves RCON off.
    rcon: password === '' ? undefined : { port: number('+rcon.port', 28_016), password },
  };
}

/** Mulberry32: numbers from 0 to 1, the same ones for the same seed. */
export function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

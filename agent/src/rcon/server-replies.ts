// Parses what a Rust server reports over RCON, field by field and within the bounds of the contract.
import type { InstanceReport, Schemas } from '../messages.ts';
import { fieldsOf, parsed } from './frames.ts';

/** The part of a heartbeat that only the game itself can provide. */
export type Figures = Pick<InstanceReport, 'players' | 'max_players' | 'queued' | 'fps' | 'entities' | 'map'>;
/** Identifies the map, because most maps have the same name. */
export type World = Pick<InstanceReport, 'seed' | 'world_size' | 'level_url'>;
export type OnlinePlayer = Schemas['OnlinePlayer'];

export interface Modding {
  framework: 'oxide' | 'carbon';
  version: string;
}

const maxPlayers = 1_000;
const maxNameLength = 200;
const maxUrlLength = 2_048;
const maxWorldSize = 100_000;
/** The first and the last account id of the public universe. */
const [firstSteamId, lastSteamId] = [76561197960265729n, 76561202255233023n];

export function isSteamId(text: string): boolean {
  return /^\d{17}$/.test(text) && BigInt(text) >= firstSteamId && BigInt(text) <= lastSteamId;
}

/** Parses the reply to `serverinfo`; null when it is something else. */
export function readServerInfo(text: string): Figures | null {
  const value = parsed(text);
  const fields = fieldsOf(value);
  if (Array.isArray(value) || !fields.has('MaxPlayers')) return null;
  const players = wholeNumber(fields.get('Players'), 100_000);
  const max_players = wholeNumber(fields.get('MaxPlayers'), 100_000);
  const queued = wholeNumber(fields.get('Queued'), 100_000);
  const entities = wholeNumber(fields.get('EntityCount'), 1_000_000_000);
  const fps = fields.get('Framerate');
  const map = fields.get('Map');
  return {
    ...(players !== undefined && { players }),
    ...(max_players !== undefined && { max_players }),
    ...(queued !== undefined && { queued }),
    ...(entities !== undefined && { entities }),
    ...(typeof fps === 'number' && fps >= 0 && fps <= 100_000 && { fps: Math.round(fps * 10) / 10 }),
    ...(typeof map === 'string' && { map: nameOf(map) }),
  };
}

/** The console variables that select the map; `readWorld` takes their replies in this order. */
export const worldVariables = ['server.seed', 'server.worldsize', 'server.levelurl'] as const;

/** A server with a level URL ignores seed and size. */
export function readWorld([seed = '', size = '', level = '']: readonly string[]): World {
  const level_url = variable(level);
  if (level_url !== undefined && level_url !== '' && level_url.length <= maxUrlLength) return { level_url };
  const [seedNumber, sizeNumber] = [variable(seed), variable(size)].map((text) =>
    text !== undefined && /^\d{1,9}$|^[1-3]\d{9}$/.test(text) ? Number(text) : undefined,
  );
  return {
    ...(seedNumber !== undefined && { seed: seedNumber }),
    ...(sizeNumber !== undefined && sizeNumber <= maxWorldSize && { world_size: sizeNumber }),
  };
}

const variable = (reply: string) => /^\s*server\.\w+: "([\x21-\x7e]*)"\s*$/.exec(reply)?.[1];

/** Parses the reply to `playerlist`; null when it is something else. Skips entries without a personal Steam id. */
export function readPlayers(text: string): OnlinePlayer[] | null {
  const value = parsed(text);
  if (!Array.isArray(value)) return null;
  const players = value.flatMap((entry: unknown): OnlinePlayer[] => {
    const fields = fieldsOf(entry);
    const id = fields.get('SteamID');
    const name = fields.get('DisplayName');
    if (typeof id !== 'string' || !isSteamId(id)) return [];
    return [
      {
        steam_id: id,
        name: typeof name === 'string' ? nameOf(name) : '',
        ping_ms: wholeNumber(fields.get('Ping'), 1_000_000) ?? 0,
        connected_seconds: wholeNumber(fields.get('ConnectedSeconds'), 4_294_967_295) ?? 0,
      },
    ];
  });
  return players.slice(0, maxPlayers);
}

/** Parses the replies to `oxide.version` and `c.version`. Without a framework, the command is unknown. */
export function readModding(oxide: string, carbon: string): Modding | null {
  const carbonVersion = /\bcarbon\b[^\d]{0,40}(\d[\w.+-]{0,40})/i.exec(carbon)?.[1];
  if (carbonVersion !== undefined) return { framework: 'carbon', version: carbonVersion };
  const oxideVersion = /\boxide\b[^\d]{0,40}(\d[\w.+-]{0,40})/i.exec(oxide)?.[1];
  return oxideVersion === undefined ? null : { framework: 'oxide', version: oxideVersion };
}

function wholeNumber(value: unknown, max: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.min(max, Math.max(0, Math.floor(value)));
}

function nameOf(text: string): string {
  return plainText(text, maxNameLength);
}

/** Returns the printable part of a text, on one line. */
export function plainText(text: string, longest: number): string {
  return text
    .slice(0, longest * 4)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '')
    .slice(0, longest)
    .toWellFormed();
}

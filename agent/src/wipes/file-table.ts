// Says which files of a Rust server's save folder each kind of wipe deletes; nothing else ever is.
import type { Schemas } from '../messages.ts';

export type WipeKind = Schemas['WipeKind'];

/** A database of that name and any data version, with the files that SQLite keeps beside it. */
const database = (name: string) => new RegExp(`^${name}\\.\\d+\\.db(-wal|-shm|-journal)?$`);

const ofMap = [
  /^[^/]+\.map$/,
  /^[^/]+\.sav(\.\d+)?$/,
  database('player\\.states'),
  database('player\\.deaths'),
  database('sv\\.files'),
];
const ofBlueprints = [database('player\\.blueprints')];
const ofPeople = [database('player\\.identities'), database('relationship'), database('clans')];

const patterns: Readonly<Record<WipeKind, readonly RegExp[]>> = {
  map: ofMap,
  blueprints: ofBlueprints,
  full: [...ofMap, ...ofBlueprints, ...ofPeople],
};

export function isWiped(kind: WipeKind, name: string): boolean {
  return patterns[kind].some((pattern) => pattern.test(name));
}

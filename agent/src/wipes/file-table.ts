// Lists which files of a Rust server's save folder each kind of wipe deletes; no other file is deleted.
import type { Schemas } from '../messages.ts';

export type WipeKind = Schemas['WipeKind'];

/** Matches a database of this name with any data version, and the side files that SQLite keeps next to it. */
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

// The SQLite file of the figures: its tables, its maximum size, and what happens to a damaged one.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fieldsOf } from '../parsing.ts';

const pageBytes = 4_096;
/** A write that another process delays, such as a virus scanner. */
const busyMs = 5_000;
const version = 1;

const schema = `
create table sample (
  at integer primary key,
  players integer, cpu real, memory_used real, memory_total real, disk_used real, disk_total real
);
create table server_sample (
  at integer not null, server text not null, players integer, cpu real, memory real,
  primary key (at, server)
) without rowid;
create table mark (at integer not null, kind text not null, server text, detail text);
create index mark_at on mark (at);
create table state (key text primary key, value text not null);
pragma user_version = ${version};
`;

/** `movedTo` is where a damaged file is now; undefined if there was none. */
export function openDatabase(
  file: string,
  maxBytes: number,
): { database: DatabaseSync; movedTo: string | undefined } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return { database: opened(file, maxBytes), movedTo: undefined };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const movedTo = `${file}.damaged-${Date.now()}`;
    // Its log belongs to it: a new file would take the old one's changes in.
    for (const part of ['', '-wal', '-shm'])
      if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${movedTo}${part}`);
    return { database: opened(file, maxBytes), movedTo };
  }
}

function opened(file: string, maxBytes: number): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec(`pragma busy_timeout = ${busyMs}`);
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    database.exec(`pragma max_page_count = ${Math.ceil(maxBytes / pageBytes)}`);
    const { user_version: found } = database.prepare('pragma user_version').get() as { user_version: number };
    if (found === 0) database.exec(`begin; ${schema} commit`);
    else if (found !== version)
      throw new Error(`${file} is of version ${found}, which a newer manager has written`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Result codes of SQLite. */
const sqlite = { corrupt: 11, full: 13, notADatabase: 26 } as const;

const codeOf = (error: unknown): unknown => fieldsOf(error)['errcode'];
export const isFull = (error: unknown): boolean => codeOf(error) === sqlite.full;
const isDamaged = (error: unknown): boolean =>
  codeOf(error) === sqlite.corrupt || codeOf(error) === sqlite.notADatabase;

// The files that a server keeps: its map and save, the databases of its players, and the settings that no wipe touches.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Ban } from './game.ts';
import type { Settings } from './settings.ts';

const dataVersion = 5;
const saveVersion = 262;

const databases = ['states', 'deaths', 'blueprints', 'identities'].map(
  (what) => `player.${what}.${dataVersion}.db`,
);
const others = [
  ...databases.flatMap((name) => [name, `${name}-wal`]),
  `sv.files.${dataVersion}.db`,
  `sv.files.${dataVersion}.db-wal`,
  `relationship.${dataVersion}.db`,
  `clans.${dataVersion}.db`,
  'player.tokens.db',
  'companion.id',
  'Log.Death.txt',
];

export class SaveDirectory {
  readonly #path: string;
  readonly #map: string;

  constructor(identity: string, { mapSeed, worldSize, levelUrl }: Settings) {
    this.#path = join('server', identity);
    this.#map =
      levelUrl === ''
        ? `proceduralmap.${worldSize}.${mapSeed}.${saveVersion}`
        : basename(levelUrl).replace(/\.map$/, '');
  }

  /** What is missing is made, as a server does that starts after a wipe. */
  prepare(): void {
    mkdirSync(join(this.#path, 'cfg'), { recursive: true });
    this.#ensure(`${this.#map}.map`, 'terrain');
    this.#ensure(`${this.#map}.sav`, new Date().toISOString());
    for (const name of others) this.#ensure(name, name);
    for (const name of ['server.cfg', 'serverauto.cfg', 'users.cfg', 'bans.cfg'])
      this.#ensure(join('cfg', name), '');
  }

  /** When the world began. */
  get createdAt(): string {
    return readFileSync(this.#file(`${this.#map}.sav`), 'utf8');
  }

  save(): void {
    writeFileSync(this.#file(`${this.#map}.sav.1`), this.createdAt);
    writeFileSync(this.#file(`${this.#map}.sav`), this.createdAt);
  }

  readBans(): Ban[] {
    const lines = readFileSync(this.#file('cfg/bans.cfg'), 'utf8').split('\n');
    return lines.flatMap((line) => {
      const [, id, name = '', reason = ''] = /^banid (\d+) "([^"]*)" "([^"]*)"/.exec(line) ?? [];
      return id === undefined ? [] : [{ id, name, reason }];
    });
  }

  writeBans(bans: Iterable<Ban>): void {
    const lines = [...bans].map(({ id, name, reason }) => `banid ${id} "${name}" "${reason}" -1\n`);
    writeFileSync(this.#file('cfg/bans.cfg'), lines.join(''));
  }

  #ensure(name: string, content: string): void {
    if (!existsSync(this.#file(name))) writeFileSync(this.#file(name), content);
  }

  #file(name: string): string {
    return join(this.#path, name);
  }
}

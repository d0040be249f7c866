// Lists characters and what they have researched, and unlocks everything for one of them.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import { notFound } from '../../../src/errors.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { Operations } from '../operations/operations.ts';
import { fieldsOf, flagOf, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import type { ProblemCode } from '../problems.ts';
import { isRefusal, refusal } from '../refusals.ts';
import { writeWhole } from '../whole-files.ts';
import { GameDatabase } from './game-database.ts';
import { getCharacter, listCharacters, unlockAll } from './queries.ts';
import { kindOf, type TechCatalog } from './tech-catalog.ts';

type Schemas = components['schemas'];

const pointsAfterUnlock = 99_999;
/** The largest id in the database. */
const maxId = 9_223_372_036_854_775_807n;
/** With these codes nothing was changed, so there is nothing to restore. */
const unchanged: readonly ProblemCode[] = [
  'not_found',
  'character_online',
  'no_tech_data',
  'character_changed',
];

interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  catalog: TechCatalog;
  home: string;
}

interface Opened {
  database: GameDatabase;
  isStopped: boolean;
}

export class Characters {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get catalog(): TechCatalog {
    return this.#parts.catalog;
  }

  async list(limit: number, after: string): Promise<Schemas['CharacterPage']> {
    if (BigInt(after) > maxId) throw invalidCursor();
    const { database } = await this.#open();
    const rows = listOf(await database.query(listCharacters, { after, limit: String(limit + 1) })).map(
      fieldsOf,
    );
    const data = rows.slice(0, limit).map(viewCharacter);
    return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
  }

  async get(id: string): Promise<Schemas['CharacterDetail']> {
    const found = await this.#find((await this.#open()).database, id);
    return {
      ...viewCharacter(found),
      map: textOf(found['map']),
      items: numberOf(found['items']) ?? 0,
      tech: this.#summary(found),
    };
  }

  async tech(id: string): Promise<Schemas['CharacterTech']> {
    const found = await this.#find((await this.#open()).database, id);
    const saved = new Map(entriesOf(found).map(({ key, isPurchased }) => [key, isPurchased]));
    const known = new Set(this.catalog.map(({ key }) => key));
    const keys = [...new Set([...known, ...saved.keys()])].toSorted();
    return {
      summary: this.#summary(found),
      nodes: keys.map((key) => {
        const isPurchased = saved.get(key);
        const state = isPurchased === undefined ? 'notInSave' : isPurchased ? 'purchased' : 'notPurchased';
        return { key, kind: kindOf(key), state, isInCatalog: known.has(key) };
      }),
    };
  }

  /** Saves the former state first; the change is written in one transaction. */
  async unlockAll(id: string): Promise<Schemas['TechUnlock']> {
    const { operations } = this.#parts;
    operations.refuseWhileRunning();
    const { database, isStopped } = await this.#open();
    return operations.begin(
      'unlockTech',
      async (run) => {
        const { hash, file } = await run.step('Keep what the character has', () =>
          this.#keepCopy(database, id),
        );
        return run.step('Unlock the tech tree', () =>
          this.#unlock(database, { id, hash, file, isStopped }).catch(async (error: unknown) => {
            if (isRefusal(error) && unchanged.includes(error.code))
              await rm(join(this.#parts.home, file), { force: true });
            throw error;
          }),
        );
      },
      (unlock) => ({ summary: `${unlock.added} nodes were added.`, unlock }),
    ).result;
  }

  async #keepCopy(database: GameDatabase, id: string): Promise<{ hash: string; file: string }> {
    const found = await this.#find(database, id);
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const file = `backups/character-${id}-${time}-${randomUUID().slice(0, 8)}.json`;
    const { knowledge, hash } = found;
    await writeWhole(join(this.#parts.home, file), JSON.stringify({ id, time, knowledge }, null, 2));
    return { hash: textOf(hash) ?? '', file };
  }

  async #unlock(
    database: GameDatabase,
    { id, hash, file, isStopped }: { id: string; hash: string; file: string; isStopped: boolean },
  ): Promise<Schemas['TechUnlock']> {
    const keys = this.catalog.map(({ key }) => key);
    const end = fieldsOf(
      await database.query(unlockAll, {
        id,
        hash,
        stopped: String(isStopped),
        points: String(pointsAfterUnlock),
        catalog: JSON.stringify(keys),
      }),
    );
    if (end['hasData'] === undefined) throw notFound('character');
    if (flagOf(end['isOnline']))
      throw refusal(
        'character_online',
        'The character may be in the game; it has to be offline for some minutes.',
      );
    if (!flagOf(end['hasData']))
      throw refusal('no_tech_data', 'The character has no tech tree yet: enter the game with it once.');
    if (!flagOf(end['isUpdated']))
      throw refusal('character_changed', 'The game changed the character in the meantime; try again.');
    const number = (name: string) => numberOf(end[name]) ?? 0;
    return {
      added: number('added'),
      purchased: number('purchased'),
      previous: number('previous'),
      total: number('total'),
      catalogTotal: keys.length,
      points: pointsAfterUnlock,
      backupFile: file,
    };
  }

  async #open(): Promise<Opened> {
    const { guest, battlegroups } = this.#parts;
    const shell = await guest.open();
    const battlegroup = await battlegroups.only(shell);
    return { database: new GameDatabase(shell, battlegroup), isStopped: battlegroup.phase === 'Stopped' };
  }

  async #find(database: GameDatabase, id: string): Promise<Fields> {
    if (BigInt(id) > maxId) throw notFound('character');
    const found = await database.query(getCharacter, { id });
    if (found === null) throw notFound('character');
    return fieldsOf(found);
  }

  #summary(found: Fields): Schemas['TechSummary'] {
    const entries = entriesOf(found);
    return {
      purchased: entries.filter(({ isPurchased }) => isPurchased).length,
      inSave: entries.length,
      inGame: this.catalog.length,
      points: numberOf(found['points']),
    };
  }
}

function entriesOf(found: Fields): { key: string; isPurchased: boolean }[] {
  return listOf(found['entries'])
    .map(fieldsOf)
    .flatMap((entry) => {
      const key = textOf(entry['ItemKey']);
      return key === null ? [] : [{ key, isPurchased: entry['UnlockedState'] === 'Purchased' }];
    });
}

function viewCharacter(found: Fields): Schemas['Character'] {
  return {
    id: textOf(found['id']) ?? '',
    name: textOf(found['name']),
    onlineStatus: textOf(found['onlineStatus']) ?? 'Unknown',
    isOnline: found['isOnline'] !== false,
    lastLoginAt: textOf(found['lastLoginAt']),
  };
}

const invalidCursor = () =>
  refusal('validation_failed', 'query /cursor: is not a cursor of this list', {
    faults: [{ in: 'query', pointer: '/cursor', detail: 'is not a cursor of this list' }],
  });

// Asks the database in one statement which chores have something to do; most of them have nothing most of the time.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queries } from '../database/reader.ts';

/** Chores that start within this time ask together. */
const togetherMs = 10;

type Work = () => Promise<unknown>;

/** Finds out which of the conditions are true. */
export type FindDue = (conditions: readonly string[]) => Promise<boolean[]>;

export class DueWork {
  readonly #find: FindDue;
  #asking: { conditions: Set<string>; due: Promise<ReadonlySet<string>> } | undefined;

  constructor(find: FindDue) {
    this.#find = find;
  }

  /** The work of the chore, left out while there is nothing to do. */
  only({ due, work }: { due?: string; work: Work }): Work {
    if (due === undefined) return work;
    return async () => {
      if (await this.#isTrue(due)) await work();
    };
  }

  async #isTrue(condition: string): Promise<boolean> {
    this.#asking ??= this.#ask(new Set());
    const { conditions, due } = this.#asking;
    conditions.add(condition);
    return (await due).has(condition);
  }

  #ask(conditions: Set<string>) {
    const ask = async () => {
      await setTimeout(togetherMs);
      this.#asking = undefined;
      const asked = [...conditions].sort();
      const found = await this.#find(asked);
      return new Set(asked.filter((_condition, index) => found[index] === true));
    };
    return { conditions, due: ask() };
  }
}

/** The conditions are ours, never a caller's. */
export async function findDue(queries: Queries, conditions: readonly string[]): Promise<boolean[]> {
  const query = sql<{ due: boolean[] }>`select array[${sql.raw(conditions.join(', '))}] as due`;
  const { rows } = await query.execute(queries);
  return rows[0]?.due ?? [];
}

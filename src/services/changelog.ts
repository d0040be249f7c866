// The platform's changelog: written by super admins, and public once published.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { Queries } from '../database/reader.ts';
import { ChangelogEntry } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';
import { byId, byTime, pageOf } from '../lists/page.ts';
import { refuseStale } from '../preconditions/version.ts';

export type ChangelogRow = Awaited<ReturnType<typeof entryOf>>;

export class Changelog {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** The public entries. */
  async listPublished(query: Query<'listPublishedReleaseNotes'>) {
    return this.#platform.read('administration', (queries) =>
      pageOf(
        queries
          .selectFrom('changelog_entry')
          .select(['id', 'title', 'text', 'published_at'])
          .where('published_at', '<=', sql<string>`now()`)
          .$narrowType<{ published_at: string }>(),
        query,
        byTime('published_at', 'desc', ({ published_at }) => published_at),
      ),
    );
  }

  async list(query: Query<'listReleaseNotes'>) {
    return this.#platform.read('administration', (queries) =>
      pageOf(entries(queries), query, byId('id', 'desc')),
    );
  }

  async get(id: string): Promise<ChangelogRow> {
    return this.#platform.read('administration', (queries) => entryOf(queries, id));
  }

  async create(input: Schemas['ReleaseNoteCreate']): Promise<ChangelogRow> {
    return this.#platform.transact('administration', async (em, queries) => {
      const entry = em.create(ChangelogEntry, {
        title: input.title,
        text: input.text,
        publishedAt: timeOf(input.published_at ?? null),
      });
      await flushTimed(em);
      return entryOf(queries, entry.id);
    });
  }

  async update(
    id: string,
    expectedVersion: number | null,
    { published_at, ...changes }: Schemas['ReleaseNoteUpdate'],
  ): Promise<ChangelogRow> {
    return this.#platform.transact('administration', async (em, queries) => {
      const entry = await lockedEntry(em, id, expectedVersion);
      em.assign(entry, changes);
      if (published_at !== undefined) entry.publishedAt = timeOf(published_at);
      entry.version += 1;
      await flushTimed(em);
      return entryOf(queries, id);
    });
  }

  async delete(id: string, expectedVersion: number | null): Promise<void> {
    await this.#platform.transact('administration', async (em) => {
      em.remove(await lockedEntry(em, id, expectedVersion));
    });
  }
}

function entries(queries: Queries) {
  return queries
    .selectFrom('changelog_entry')
    .select(['id', 'title', 'text', 'published_at', 'version', 'created_at']);
}

async function entryOf(queries: Queries, id: string) {
  const entry = await entries(queries).where('id', '=', id).executeTakeFirst();
  if (entry === undefined) throw missing();
  return entry;
}

/** Locks the entry and checks the caller's version precondition. */
async function lockedEntry(
  em: EntityManager,
  id: string,
  expectedVersion: number | null,
): Promise<ChangelogEntry> {
  const entry = await em.findOne(ChangelogEntry, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (entry === null) throw missing();
  refuseStale(entry, expectedVersion, 'The entry');
  return entry;
}

function flushTimed(em: EntityManager): Promise<void> {
  return refusing(
    {
      changelog_entry_published_at_key: () =>
        new DomainError(
          'time_taken',
          'Another entry has exactly this publication time; choose another time.',
        ),
    },
    () => em.flush(),
  );
}

const timeOf = (text: string | null) => (text === null ? null : new Date(text));

const missing = () => notFound('changelog entry');

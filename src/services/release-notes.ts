// The platform's release notes: written by super admins, and public once published.
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

export type ReleaseNoteRow = Awaited<ReturnType<typeof noteOf>>;

export class ReleaseNotes {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** The published notes. */
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
      pageOf(notes(queries), query, byId('id', 'desc')),
    );
  }

  async get(id: string): Promise<ReleaseNoteRow> {
    return this.#platform.read('administration', (queries) => noteOf(queries, id));
  }

  async create(input: Schemas['ReleaseNoteCreate']): Promise<ReleaseNoteRow> {
    return this.#platform.transact('administration', async (em, queries) => {
      const note = em.create(ChangelogEntry, {
        title: input.title,
        text: input.text,
        publishedAt: timeOf(input.published_at ?? null),
      });
      await flushTimed(em);
      return noteOf(queries, note.id);
    });
  }

  async update(
    id: string,
    expectedVersions: readonly number[] | null,
    { published_at, ...changes }: Schemas['ReleaseNoteUpdate'],
  ): Promise<ReleaseNoteRow> {
    return this.#platform.transact('administration', async (em, queries) => {
      const note = await lockedNote(em, id, expectedVersions);
      em.assign(note, changes);
      if (published_at !== undefined) note.publishedAt = timeOf(published_at);
      note.version += 1;
      await flushTimed(em);
      return noteOf(queries, id);
    });
  }

  async delete(id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await this.#platform.transact('administration', async (em) => {
      em.remove(await lockedNote(em, id, expectedVersions));
    });
  }
}

function notes(queries: Queries) {
  return queries
    .selectFrom('changelog_entry')
    .select(['id', 'title', 'text', 'published_at', 'version', 'created_at']);
}

async function noteOf(queries: Queries, id: string) {
  const note = await notes(queries).where('id', '=', id).executeTakeFirst();
  if (note === undefined) throw missing();
  return note;
}

/** Locks the note and checks the caller's version precondition. */
async function lockedNote(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<ChangelogEntry> {
  const note = await em.findOne(ChangelogEntry, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (note === null) throw missing();
  refuseStale(note, expectedVersions, 'The release note');
  return note;
}

function flushTimed(em: EntityManager): Promise<void> {
  return refusing(
    {
      changelog_entry_published_at_key: () =>
        new DomainError(
          'time_taken',
          'Another release note has exactly this publication time; choose another time.',
        ),
    },
    () => em.flush(),
  );
}

const timeOf = (text: string | null) => (text === null ? null : new Date(text));

const missing = () => notFound('release note');

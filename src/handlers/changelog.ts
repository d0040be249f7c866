// Operations of the area `changelog`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { ChangelogRow } from '../services/changelog.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const changelog = {
  listPublishedReleaseNotes: async (ctx, { query }) =>
    viewPage(await ctx.services.changelog.listPublished(query), viewItem),
  listReleaseNotes: async (ctx, { query }) => viewPage(await ctx.services.changelog.list(query), viewEntry),
  createReleaseNote: async (ctx, { body }) => viewVersioned(await ctx.services.changelog.create(body)),
  getReleaseNote: async (ctx, { path }) =>
    viewVersioned(await ctx.services.changelog.get(path.changelog_entry_id)),
  updateReleaseNote: async (ctx, { path, expectedVersion, body }) =>
    viewVersioned(await ctx.services.changelog.update(path.changelog_entry_id, expectedVersion, body)),
  deleteReleaseNote: async (ctx, { path, expectedVersion }) =>
    ctx.services.changelog.delete(path.changelog_entry_id, expectedVersion),
} satisfies Partial<Handlers>;

const viewVersioned = (entry: ChangelogRow) => new Versioned(viewEntry(entry), entry.version);

function viewItem({
  id,
  title,
  text,
  published_at,
}: Schemas['PublishedReleaseNote']): Schemas['PublishedReleaseNote'] {
  return { id, title, text, published_at };
}

function viewEntry(entry: ChangelogRow): Schemas['ReleaseNote'] {
  return {
    id: entry.id,
    title: entry.title,
    text: entry.text,
    published_at: entry.published_at,
    version: entry.version,
    created_at: entry.created_at,
  };
}

// Operations of the area `release-notes`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { ReleaseNoteRow } from '../services/release-notes.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const releaseNotes = {
  listPublishedReleaseNotes: async (ctx, { query }) =>
    viewPage(await ctx.services.releaseNotes.listPublished(query), viewPublished),
  listReleaseNotes: async (ctx, { query }) => viewPage(await ctx.services.releaseNotes.list(query), viewNote),
  createReleaseNote: async (ctx, { body }) => viewVersioned(await ctx.services.releaseNotes.create(body)),
  getReleaseNote: async (ctx, { path }) =>
    viewVersioned(await ctx.services.releaseNotes.get(path.release_note_id)),
  updateReleaseNote: async (ctx, { path, expectedVersions, body }) =>
    viewVersioned(await ctx.services.releaseNotes.update(path.release_note_id, expectedVersions, body)),
  deleteReleaseNote: async (ctx, { path, expectedVersions }) =>
    ctx.services.releaseNotes.delete(path.release_note_id, expectedVersions),
} satisfies Partial<Handlers>;

const viewVersioned = (note: ReleaseNoteRow) => new Versioned(viewNote(note), note.version);

function viewPublished({
  id,
  title,
  text,
  published_at,
}: Schemas['PublishedReleaseNote']): Schemas['PublishedReleaseNote'] {
  return { id, title, text, published_at };
}

function viewNote(note: ReleaseNoteRow): Schemas['ReleaseNote'] {
  return {
    id: note.id,
    title: note.title,
    text: note.text,
    published_at: note.published_at,
    version: note.version,
    created_at: note.created_at,
  };
}

// What the editor of a release note holds, and what it sends.
import type { Schemas } from '../../api/operations.ts';
import { fromLocalInput, localInput } from '../../shared/local-time.ts';

export interface NoteValues {
  title: string;
  text: string;
  publication: 'draft' | 'now' | 'at';
  /** As the field for times has it. */
  at: string;
}

export const newNote: NoteValues = { title: '', text: '', publication: 'draft', at: '' };

export const valuesOf = ({ title, text, published_at }: Schemas['ReleaseNote']): NoteValues => ({
  title,
  text,
  publication: published_at === null ? 'draft' : 'at',
  at: published_at === null ? '' : localInput(Date.parse(published_at)),
});

/** Null for a draft; undefined while the time is not complete. */
function publishedAtOf({ publication, at }: NoteValues): string | null | undefined {
  if (publication === 'draft') return null;
  if (publication === 'now') return new Date().toISOString();
  return fromLocalInput(at) ?? undefined;
}

export const isComplete = (values: NoteValues): boolean =>
  values.title.trim() !== '' && values.text.trim() !== '' && publishedAtOf(values) !== undefined;

export const creationOf = (values: NoteValues): Schemas['ReleaseNoteCreate'] => ({
  title: values.title.trim(),
  text: values.text,
  published_at: publishedAtOf(values) ?? null,
});

/** Only what was changed: the field for times has no seconds. */
export function changesOf(values: NoteValues, base: NoteValues): Schemas['ReleaseNoteUpdate'] {
  const isMoved = values.publication !== base.publication || values.at !== base.at;
  return {
    ...(values.title !== base.title && { title: values.title.trim() }),
    ...(values.text !== base.text && { text: values.text }),
    ...(isMoved && { published_at: publishedAtOf(values) ?? null }),
  };
}

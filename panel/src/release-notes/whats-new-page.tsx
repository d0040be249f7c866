// The platform's release notes, newest first; those that are new to the user are marked.
import { Badge, Skeleton } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { MarkdownText } from '../shared/markdown-text.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { markRead, newsMs, useReadUntil } from './read-until.ts';
import classes from './whats-new.module.css';

export function WhatsNewPage() {
  const t = useTexts('release-notes');
  const { id } = useMe();
  // The marks stay while the page is open.
  const [until] = useState(useReadUntil());
  const notes = usePages('/api/release-notes', {}, { limit: 20, every: newsMs });
  const newest = notes.items?.[0]?.published_at;
  useEffect(() => {
    if (newest !== undefined) markRead(id, newest);
  }, [id, newest]);
  return (
    <Page title={t('title')} lead={t('lead')} width="narrow">
      <Loaded
        asked={{ ...notes, data: notes.items }}
        waitingFor={t('title')}
        skeleton={<Skeleton height={280} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Sparkles} title={t('empty.title')}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <>
              {items.map((note) => (
                <Note key={note.id} note={note} isNew={note.published_at > until} />
              ))}
              <LoadMore pages={notes} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Note({ note, isNew }: { note: Schemas['PublishedReleaseNote']; isNew: boolean }) {
  const t = useTexts('release-notes');
  const formats = useFormats();
  return (
    <article className={classes.note} aria-labelledby={`note-${note.id}`}>
      <header className={classes.head}>
        <h2 className={classes.title} id={`note-${note.id}`}>
          {note.title}
        </h2>
        {isNew && <Badge variant="light">{t('new')}</Badge>}
        <time className="dim" dateTime={note.published_at}>
          {formats.date(note.published_at)}
        </time>
      </header>
      <MarkdownText text={note.text} />
    </article>
  );
}

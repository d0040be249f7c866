// All release notes, with drafts.
import { Link } from '@tanstack/react-router';
import { Plus, Sparkles } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import { ButtonLink } from '../../shared/button-link.tsx';
import type { Column } from '../../shared/data-table/columns.ts';
import { Page } from '../../shared/page.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NoteState } from './note-state.tsx';
import { everyMs } from '../every-ms.ts';

export function NotesPage() {
  const t = useTexts('admin-release-notes');
  const notes = usePages('/api/admin/release-notes', {}, { every: everyMs });
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        <ButtonLink to="/platform/release-notes/new" leftSection={<Plus size={16} />}>
          {t('create')}
        </ButtonLink>
      }
    >
      <PagedTable
        label={t('title')}
        pages={notes}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        isFiltered={false}
        empty={{ icon: Sparkles, title: t('empty.title'), detail: t('empty.detail') }}
      />
    </Page>
  );
}

function useColumns(): readonly Column<Schemas['ReleaseNote']>[] {
  const t = useTexts('admin-release-notes');
  return useMemo(
    () => [
      {
        key: 'title',
        header: t('columns.title'),
        width: 'minmax(180px, 2fr)',
        phone: 'title',
        cell: ({ id, title }) => (
          <Link to="/platform/release-notes/$noteId" params={{ noteId: id }}>
            {title}
          </Link>
        ),
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: 'minmax(150px, 1.2fr)',
        phone: 'line',
        cell: ({ published_at }) => <NoteState publishedAt={published_at} />,
      },
      {
        key: 'published',
        header: t('columns.published'),
        width: '130px',
        phone: 'line',
        cell: ({ published_at }) =>
          published_at === null ? '–' : <Time at={published_at} isFocusable={false} />,
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '130px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t],
  );
}

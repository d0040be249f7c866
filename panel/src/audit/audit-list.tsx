// Entries of an audit log with their filters; the details of one are in a dialog.
import { Alert, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { Asked } from '@gantry/ui/loaded.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { AuditFilters, type ActorGroup } from './audit-filters.tsx';
import { isFiltered, noFilters, type AuditEntry, type AuditSearch, type SetSearch } from './audit-search.ts';
import { AuditObject } from './audit-object.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { useAuditWords, withActors, type Names } from './words.ts';

/** Not every change has an event. */
export const refreshMs = 15_000;

interface AuditListProps {
  entries: Omit<Asked<unknown>, 'data'> & {
    items: readonly AuditEntry[] | undefined;
    hasNextPage: boolean;
    isReadingMore: boolean;
    fetchNextPage: () => unknown;
  };
  search: AuditSearch;
  set: SetSearch;
  actors?: readonly ActorGroup[];
  names?: Names;
  showsLicense?: boolean;
}

const noNames: Names = new Map();
const noEntries: readonly AuditEntry[] = [];

export function AuditList(props: AuditListProps) {
  const { entries, search, set, actors = [], showsLicense = false } = props;
  const t = useTexts('audit');
  const common = useTexts('common');
  const words = useAuditWords();
  const { items } = entries;
  const known = props.names ?? noNames;
  const names = useMemo(() => withActors(known, items ?? noEntries), [known, items]);
  const columns = useColumns(names, showsLicense);
  const byActor = items?.find(({ actor }) => actor.id === search.actor);
  const open = search.entry === '' ? undefined : items?.find(({ id }) => id === search.entry);
  return (
    <>
      <AuditFilters
        search={search}
        set={set}
        actors={actors}
        actorLabel={byActor === undefined ? null : words.actor(byActor)}
        licenseLabel={names.get(search.license) ?? search.license}
      />
      {search.entry !== '' && items !== undefined && open === undefined && (
        <Alert
          color="yellow"
          withCloseButton
          closeButtonLabel={common('actions.close')}
          onClose={() => set({ entry: '' })}
        >
          {t('detail.gone')}
        </Alert>
      )}
      <Loaded
        asked={{ ...entries, data: items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={8} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Nothing isFiltering={isFiltered(search)} onClear={() => set(noFilters)} />
          ) : (
            <>
              <DataTable
                label={t('title')}
                columns={columns}
                groups={[{ key: 'all', name: '', rows }]}
                keyOf={({ id }) => id}
                nameOf={words.change}
              />
              <LoadMore pages={entries} />
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <EntryDialog
          entry={open}
          names={names}
          showsLicense={showsLicense}
          onFilter={(change) => set({ ...change, entry: '' })}
          onClose={() => set({ entry: '' })}
        />
      )}
    </>
  );
}

function Nothing({ isFiltering, onClear }: { isFiltering: boolean; onClear: () => void }) {
  const t = useTexts('audit');
  const common = useTexts('common');
  if (!isFiltering)
    return (
      <EmptyState icon={ScrollText} title={t('empty.title')}>
        {t('empty.detail')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={t('noMatch.title')}
      action={
        <Button variant="default" onClick={onClear}>
          {common('actions.clearFilters')}
        </Button>
      }
    >
      {t('noMatch.detail')}
    </EmptyState>
  );
}

/** By its name; by its ID while that is not known. */
function License({ id, names }: { id: string | null; names: Names }) {
  const name = id === null ? '–' : names.get(id);
  return name === undefined ? (
    <span className="mono dim">{id}</span>
  ) : (
    <span title={id ?? undefined}>{name}</span>
  );
}

function useColumns(names: Names, showsLicense: boolean): readonly Column<AuditEntry>[] {
  const t = useTexts('audit');
  const words = useAuditWords();
  return useMemo(
    () => [
      {
        key: 'change',
        header: t('columns.change'),
        width: 'minmax(170px, 2fr)',
        phone: 'title',
        cell: (entry) => (
          <Link
            to="."
            search={(former: Record<string, unknown>) => ({ ...former, entry: entry.id })}
            resetScroll={false}
          >
            {words.change(entry)}
          </Link>
        ),
      },
      {
        key: 'object',
        header: t('columns.object'),
        width: 'minmax(120px, 2fr)',
        phone: 'line',
        cell: (entry) => <AuditObject entry={entry} names={names} />,
      },
      {
        key: 'actor',
        header: t('columns.actor'),
        width: 'minmax(130px, 2fr)',
        phone: 'line',
        cell: (entry) => <span title={words.actor(entry)}>{words.actor(entry)}</span>,
      },
      ...(showsLicense
        ? [
            {
              key: 'license',
              header: t('columns.license'),
              width: 'minmax(100px, 1fr)',
              phone: 'line',
              cell: ({ license_id }: AuditEntry) => <License id={license_id} names={names} />,
            } as const,
          ]
        : []),
      {
        key: 'source',
        header: t('columns.source'),
        width: '130px',
        phone: 'none',
        isWide: true,
        cell: ({ source }) => <span className="mono">{source ?? '–'}</span>,
      },
      {
        key: 'time',
        header: t('columns.time'),
        width: '120px',
        phone: 'line',
        cell: ({ recorded_at }) => <Time at={recorded_at} isFocusable={false} />,
      },
    ],
    [t, words, names, showsLicense],
  );
}

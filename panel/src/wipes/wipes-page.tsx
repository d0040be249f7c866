// The wipes of a server: the one under way, and the history.
import { NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarClock, Eraser, Plus, SearchX } from 'lucide-react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import { usePages, useRead } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { WipeOutcome } from './wipe-outcome.tsx';
import { WipeProgress } from './wipe-progress.tsx';
import { wipeStatuses, type Wipe, type WipeStatus } from './wipe-status.ts';
import { WipeTable } from './wipe-table.tsx';
import classes from './wipes.module.css';

const route = getRouteApi('/frame/licensed/servers/$instanceId/wipes');

/** Events announce each phase; this is for agents whose events are late. */
const everyMs = 5_000;
/** Earlier ends are in the history only. */
const shownForMs = 60 * 60_000;

export function WipesPage() {
  const t = useTexts('wipes');
  const { instanceId } = route.useParams();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWipe = useMay('POST /api/instances/{instance_id}/wipes');
  const maySchedule = useMay('POST /api/schedules') && mayWipe;
  const wipes = usePages('/api/wipes', {
    params: { query: { instance_id: instanceId, ...(status !== '' && { status }) } },
  });
  const isEmpty = wipes.items?.length === 0 && status === '';
  const actions = mayWipe && (
    <>
      {maySchedule && (
        <ButtonLink
          to="/schedules/new"
          search={{ server: instanceId, kind: 'wipe' }}
          variant="default"
          leftSection={<CalendarClock size={16} aria-hidden="true" />}
        >
          {t('schedule')}
        </ButtonLink>
      )}
      <ButtonLink
        to="/servers/$instanceId/wipes/new"
        params={{ instanceId }}
        leftSection={<Plus size={16} aria-hidden="true" />}
      >
        {t('plan')}
      </ButtonLink>
    </>
  );
  return (
    <div className="stack">
      <LatestWipe instanceId={instanceId} />
      {!isEmpty && (
        <div className={classes.bar}>
          <NativeSelect
            aria-label={t('filter.label')}
            value={status}
            data={[
              { value: '', label: t('filter.any') },
              ...wipeStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
            ]}
            onChange={({ currentTarget }) =>
              void navigate({ search: { status: currentTarget.value as WipeStatus | '' }, replace: true })
            }
          />
          <div className={classes.barActions}>{(status !== '' || !wipes.isPending) && actions}</div>
        </div>
      )}
      <Loaded
        asked={{ ...wipes, data: wipes.items }}
        waitingFor={t('history')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) =>
          items.length > 0 ? (
            <WipeTable wipes={items} instanceId={instanceId} />
          ) : isEmpty ? (
            <EmptyState icon={Eraser} title={t('empty.title')} {...(mayWipe && { action: actions })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <EmptyState icon={SearchX} title={t('noMatch.title')}>
              {t('noMatch.detail')}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore pages={wipes} />
    </div>
  );
}

/** An instance has one wipe at a time, which is the newest. */
function LatestWipe({ instanceId }: { instanceId: string }) {
  const t = useTexts('wipes');
  const { data } = useRead(
    '/api/wipes',
    { params: { query: { instance_id: instanceId, limit: 1 } } },
    { every: everyMs },
  );
  const [latest] = data?.data ?? [];
  if (latest === undefined) return null;
  const details = (
    <Link to="/servers/$instanceId/wipes/$wipeId" params={{ instanceId, wipeId: latest.id }}>
      {t('details')}
    </Link>
  );
  if (latest.finished_at === null)
    return (
      <div className={classes.latest}>
        <WipeProgress wipe={latest} />
      </div>
    );
  return isRecent(latest) ? <WipeOutcome wipe={latest}>{details}</WipeOutcome> : null;
}

const isRecent = ({ finished_at }: Wipe): boolean =>
  finished_at !== null && serverNow() - Date.parse(finished_at) < shownForMs;

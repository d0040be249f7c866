// Players, frames and entities of one server over time.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { EmptyState } from '../shared/empty-state.tsx';
import { Averages } from '../stats/averages.tsx';
import { PeriodPicker } from '../stats/period-picker.tsx';
import { rangeNames, ranges } from '../stats/stats-search.ts';
import { usePeriod } from '../stats/use-period.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';
import { useInstances } from './filters.tsx';

const frame = getRouteApi('/frame/licensed/analytics');
const route = getRouteApi('/frame/licensed/analytics/servers');

/** Averages are of five minutes at least. */
const names = rangeNames.filter((name) => ranges[name].step !== null);

export function ServersTab() {
  const t = useTexts('analytics');
  const { instance } = frame.useSearch();
  const { length, to } = route.useSearch();
  const navigate = route.useNavigate();
  const instances = useInstances();
  const range = names.includes(length) ? length : '7d';
  const period = usePeriod({ range, to });
  const chosen = instance === '' ? instances[0]?.id : instance;
  const { step } = ranges[range];
  if (chosen === undefined || step === null)
    return (
      <EmptyState icon={Server} title={t('servers.emptyTitle')}>
        {t('servers.empty')}
      </EmptyState>
    );
  return (
    <div className={classes.tab}>
      <div className={classes.filters}>
        {instances.length > 1 && (
          <NativeSelect
            aria-label={t('filters.server')}
            value={chosen}
            data={instances.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => {
              const next = event.currentTarget.value;
              void navigate({ search: (former) => ({ ...former, instance: next }), replace: true });
            }}
          />
        )}
      </div>
      <PeriodPicker
        names={names}
        range={range}
        {...period}
        onChange={(change) =>
          void navigate({
            search: (former) => ({
              ...former,
              ...(change.range !== undefined && { length: change.range }),
              ...(change.to !== undefined && { to: change.to }),
            }),
            replace: true,
          })
        }
      />
      <Averages instanceId={chosen} step={step} {...period} />
    </div>
  );
}

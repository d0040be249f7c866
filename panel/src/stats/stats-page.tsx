// How a server has fared: players, frames, load and entities over time.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import { Averages } from './averages.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { PlayersThen } from './players-then.tsx';
import { Reports } from './reports.tsx';
import { rangeNames, ranges, type StatsSearch } from './stats-search.ts';
import classes from './stats.module.css';
import { usePeriod } from './use-period.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/stats');

export function StatsPage() {
  const t = useTexts('stats');
  const { instanceId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayAnalyse = useMay('GET /api/analytics/server-stats');
  const names = rangeNames.filter((name) => mayAnalyse || ranges[name].step === null);
  const range = names.includes(search.range) ? search.range : '1h';
  const period = usePeriod({ range, to: search.to });
  const set = useCallback(
    (change: Partial<StatsSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const pick = useCallback((at: number) => set({ at: new Date(at).toISOString() }), [set]);
  const { step } = ranges[range];
  const charts = { instanceId, ...period, ...(mayAnalyse && { onPick: pick }) };
  return (
    <div className={classes.page}>
      <PeriodPicker names={names} range={range} {...period} onChange={set} />
      {mayAnalyse && search.at === '' && <p className="hint">{t('then.hint')}</p>}
      {mayAnalyse && search.at !== '' && (
        <PlayersThen instanceId={instanceId} at={search.at} onClose={() => set({ at: '' })} />
      )}
      {range === '1h' || range === '6h' ? (
        <Reports range={range} {...charts} />
      ) : (
        step !== null && (
          <>
            <Averages step={step} {...charts} />
            <p className="hint">{t('longRanges')}</p>
          </>
        )
      )}
    </div>
  );
}

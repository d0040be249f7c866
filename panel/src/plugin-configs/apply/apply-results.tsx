// What became of the latest runs of a configuration, server by server.
import { Link } from '@tanstack/react-router';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useRuns } from '../../shared/runs/kept-runs.ts';
import { RunSection } from '../../shared/runs/run-section.tsx';
import type { RunItem } from '../../shared/runs/run-store.ts';
import { useResults } from '../../shared/runs/use-results.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';
import { applyRuns, type ApplyRun } from './apply-run.ts';
import { OutcomeDetail, OutcomeState, type Application } from './outcome.tsx';

export function ApplyResults({ configId }: { configId: string }) {
  const { runs, requesting } = useRuns(applyRuns);
  return runs
    .filter((run) => run.configId === configId)
    .map((run) => <Results key={run.id} run={run} isRequesting={requesting.has(run.id)} />);
}

interface ItemResult {
  item: RunItem;
  application: Application | undefined;
}

const isFinished = ({ item, application }: ItemResult): boolean =>
  item.refusal !== undefined || typeof application?.finished_at === 'string';

const isFailed = ({ item, application }: ItemResult): boolean =>
  item.refusal !== undefined || application?.status === 'failed';

function Results({ run, isRequesting }: { run: ApplyRun; isRequesting: boolean }) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  const applications = useResults('/api/plugin-applications', run, {
    plugin_config_id: run.configId,
  });
  const results = run.items.map((item) => ({ item, application: applications.get(item.acceptedId ?? '') }));
  // What went wrong stands first.
  const shown = results.toSorted((one, other) => Number(isFailed(other)) - Number(isFailed(one)));
  return (
    <RunSection
      title={t('results.title', { version: run.version })}
      run={run}
      finished={results.filter(isFinished).length}
      failed={results.filter(isFailed).length}
      isRequesting={isRequesting}
      onContinue={() => void applyRuns.proceed(run.id)}
      onClose={() => applyRuns.close(run.id)}
    >
      <ul className={classes.results} aria-label={common('run.list')}>
        {shown.map((result) => (
          <Result key={result.item.instanceId} {...result} isRequesting={isRequesting} />
        ))}
      </ul>
    </RunSection>
  );
}

function Result({ item, application, isRequesting }: ItemResult & { isRequesting: boolean }) {
  const t = useTexts('plugin-configs');
  return (
    <li className={classes.result}>
      <Link to="/servers/$instanceId" params={{ instanceId: item.instanceId }} className={classes.resultName}>
        {item.name}
      </Link>
      {item.refusal !== undefined ? (
        <>
          <StateText tone="bad">{t('outcome.refused')}</StateText>
          <p className={classes.detail}>{item.refusal}</p>
        </>
      ) : application === undefined ? (
        <StateText tone="idle">
          {t(item.acceptedId !== undefined || isRequesting ? 'outcome.waiting' : 'outcome.notRequested')}
        </StateText>
      ) : (
        <>
          <OutcomeState application={application} />
          <OutcomeDetail application={application} />
        </>
      )}
    </li>
  );
}

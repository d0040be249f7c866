// What became of the latest run, server by server.
import { CloseButton, Progress } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { reading } from '../../api/reading.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';
import { closeRun, useApplyRun, type ApplyItem, type ApplyRun } from './apply-run.ts';
import { OutcomeDetail, OutcomeState, type Application } from './outcome.tsx';

/** The end comes as an event, too; the stages between do not. */
const everyMs = 1_500;

export function ApplyResults({ configId }: { configId: string }) {
  const run = useApplyRun(configId);
  return run === null ? null : <Results run={run} />;
}

function Results({ run }: { run: ApplyRun }) {
  const t = useTexts('plugin-configs');
  const applications = useQueries({
    queries: run.items.map(({ applicationId }) => ({
      ...reading('/api/plugin-applications/{plugin_application_id}', {
        params: { path: { plugin_application_id: applicationId ?? '' } },
      }),
      enabled: applicationId !== undefined,
      refetchInterval: ({ state }: { state: { data?: Application | undefined } }) =>
        typeof state.data?.finished_at === 'string' ? (false as const) : everyMs,
    })),
  });
  const results = run.items.map((item, index) => ({ item, application: applications[index]?.data }));
  const isFinished = ({ item, application }: (typeof results)[number]) =>
    item.refusal !== undefined || typeof application?.finished_at === 'string';
  const isFailed = ({ item, application }: (typeof results)[number]) =>
    item.refusal !== undefined || application?.status === 'failed';
  const finished = results.filter(isFinished).length;
  const failed = results.filter(isFailed).length;
  // What went wrong stands first.
  const shown = results.toSorted((one, other) => Number(isFailed(other)) - Number(isFailed(one)));
  const title = t('results.title', { version: run.version });
  return (
    <Section title={title} aside={<CloseButton aria-label={t('results.close')} onClick={closeRun} />}>
      <div className={classes.summary} role="status">
        {t('results.progress', { finished, total: run.items.length })}
        {failed > 0 && <span className={classes.failed}>{t('results.failed', { count: failed })}</span>}
      </div>
      <Progress
        value={(finished / run.items.length) * 100}
        {...(failed > 0 && { color: 'red' })}
        size="sm"
        aria-label={title}
      />
      <ul className={classes.results} aria-label={t('results.list')}>
        {shown.map(({ item, application }) => (
          <Result key={item.instanceId} item={item} application={application} />
        ))}
      </ul>
    </Section>
  );
}

function Result({ item, application }: { item: ApplyItem; application: Application | undefined }) {
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
        <StateText tone="idle">{t('outcome.waiting')}</StateText>
      ) : (
        <>
          <OutcomeState application={application} />
          <OutcomeDetail application={application} />
        </>
      )}
    </li>
  );
}

// A wipe under way: its phase, the countdown, and its cancellation while that is possible.
import { Button } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useNow } from '@gantry/ui/use-now.ts';
import { useMay } from '../api/may.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './wipe-progress.module.css';
import { isCancellable, phasesOf, type Wipe } from './wipe-status.ts';

export function WipeProgress({ wipe }: { wipe: Wipe }) {
  const t = useTexts('wipes');
  const mayCancel = useMay('POST /api/wipes/{wipe_id}/cancel');
  const cancel = useWrite('POST /api/wipes/{wipe_id}/cancel', {
    refreshes: ['/api/wipes', '/api/wipes/{wipe_id}'],
  });
  const { instance_id } = wipe;
  const instance = useRead(
    '/api/fleet/instances/{instance_id}',
    { params: { path: { instance_id: instance_id ?? '' } } },
    { enabled: instance_id !== null },
  ).data;
  const isWaiting = instance?.state === 'offline';
  const { kind, status, due_at, detail, requested_by, created_at, cancel_requested_at } = wipe;
  return (
    <section className={classes.card} aria-label={t('progress.label')}>
      <div className={classes.head}>
        <div className={classes.names}>
          <div className={classes.title} role="status">
            {t(`kinds.${kind}`)}: {t(`phases.${phaseOf(wipe)}`)}
          </div>
          <div className={classes.by}>
            {requested_by !== null && `${t('progress.by', { who: requested_by })} · `}
            <Time at={created_at} />
          </div>
        </div>
        {isCancellable(wipe) && due_at !== null && !isWaiting && <Countdown dueAt={due_at} />}
      </div>
      <Phases wipe={wipe} />
      {isWaiting && <p className={classes.detail}>{t('progress.agentAway')}</p>}
      {status === 'planned' && <p className={classes.detail}>{t('progress.waiting')}</p>}
      {detail !== null && <p className={classes.detail}>{detail}</p>}
      {cancel_requested_at !== null && <p className={classes.detail}>{t('progress.cancelRequested')}</p>}
      {mayCancel && isCancellable(wipe) && (
        <div>
          <Button
            variant="default"
            leftSection={<X size={15} aria-hidden="true" />}
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ params: { path: { wipe_id: wipe.id } } })}
          >
            {t('progress.cancel')}
          </Button>
        </div>
      )}
      <ProblemAlert error={cancel.error} />
    </section>
  );
}

const phaseOf = (wipe: Wipe) => phasesOf(wipe).find((phase) => phase === wipe.status) ?? 'planned';

function Phases({ wipe }: { wipe: Wipe }) {
  const t = useTexts('wipes');
  const phases = phasesOf(wipe);
  const current = phases.indexOf(phaseOf(wipe));
  return (
    <ol className={classes.phases} aria-label={t('progress.phases')}>
      {phases.map((phase, index) => {
        const state = index < current ? 'done' : index === current ? 'current' : 'next';
        return (
          <li
            key={phase}
            className={classes.phase}
            data-state={state}
            {...(state === 'current' && { 'aria-current': 'step' as const })}
          >
            <span className={classes.mark} aria-hidden="true">
              {state === 'done' && <Check size={12} strokeWidth={3} />}
            </span>
            {t(`phases.${phase}`)}
            {state === 'done' && <span className="visuallyHidden">{t('progress.done')}</span>}
          </li>
        );
      })}
    </ol>
  );
}

function Countdown({ dueAt }: { dueAt: string }) {
  const t = useTexts('wipes');
  const now = useNow(true);
  return (
    <div className={classes.countdown}>
      <span className={classes.clock} role="timer" aria-label={t('progress.countdown')}>
        {clockOf((Date.parse(dueAt) - now) / 1_000)}
      </span>
      <span className={classes.clockName}>{t('progress.untilStop')}</span>
    </div>
  );
}

function clockOf(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return left < 3_600 ? minutes : `${Math.floor(left / 3_600)}:${minutes}`;
}

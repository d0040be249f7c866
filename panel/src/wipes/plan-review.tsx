// What a wipe would do, step by step and file by file, with its start.
import { Button } from '@mantine/core';
import { DatabaseBackup, Megaphone, Play, Square, Trash2, type LucideIcon } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { hasCountdown, type WipePlan } from '../shared/wipe-plan.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './wipes.module.css';

interface PlanReviewProps {
  instance: Schemas['GameInstance'];
  choices: WipePlan;
  plan: Schemas['WipePlan'];
  isPending: boolean;
  error: Error | null;
  onStart: () => void;
  onClosed: () => void;
  back: ReactNode;
}

export function PlanReview({ back, ...props }: PlanReviewProps) {
  const { instance, choices, plan, isPending, error, onStart, onClosed } = props;
  const t = useTexts('wipes');
  const formats = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const players = instance.players ?? 0;
  const deleted = { count: plan.files.length, size: formats.bytes(plan.total_bytes) };
  return (
    <>
      <Section title={t('review.title')} lead={t('review.lead')}>
        <div className="stack">
          <Steps choices={choices} plan={plan} />
          <div className={classes.actions}>
            <Button color="red" onClick={() => setIsAsking(true)}>
              {t('review.start')}
            </Button>
            {back}
          </div>
        </div>
      </Section>
      <Section title={t('review.files', deleted)} lead={t('review.filesLead')}>
        {plan.files.length > 0 && <FileTable files={plan.files} />}
      </Section>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('confirm.title', { name: instance.name })}
        action={t('confirm.action')}
        isDangerous
        typed={instance.name}
        isPending={isPending}
        problem={<ProblemAlert error={error} />}
        onConfirm={onStart}
        onClose={() => {
          setIsAsking(false);
          onClosed();
        }}
      >
        <p>
          {t(`confirm.deletes.${choices.kind}`)} {t('confirm.files', deleted)}
        </p>
        <p>
          {players === 0 ? t('confirm.noPlayers') : t('confirm.players', { count: players })}{' '}
          {hasCountdown(choices)
            ? t('confirm.countdown', { time: formats.duration(Number(choices.countdownSeconds)) })
            : t('confirm.atOnce')}
        </p>
        <p>{choices.backup ? t('confirm.backup') : t('confirm.noBackup')}</p>
      </ConfirmDialog>
    </>
  );
}

function Steps({ choices, plan }: { choices: WipePlan; plan: Schemas['WipePlan'] }) {
  const t = useTexts('wipes');
  const formats = useFormats();
  const launch = useLaunchWords();
  const [before, after] = [launch(plan.launch_before), launch(plan.launch_after)];
  return (
    <ol className={classes.steps}>
      {plan.announcements.length > 0 && (
        <Step icon={Megaphone} text={t('steps.announce')}>
          <ul className={classes.announcements}>
            {plan.announcements.map(({ before_seconds, text }) => (
              <li key={before_seconds}>
                <span className={classes.before}>{formats.duration(before_seconds)}</span>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </Step>
      )}
      <Step icon={Square} text={plan.stops ? t('steps.stop') : t('steps.isStopped')} />
      <Step icon={DatabaseBackup} text={choices.backup ? t('steps.backup') : t('steps.noBackup')} />
      <Step
        icon={Trash2}
        tone="bad"
        text={t('steps.delete', {
          what: t(`takes.${choices.kind}`),
          count: plan.files.length,
          size: formats.bytes(plan.total_bytes),
        })}
      />
      <Step icon={Play} text={plan.starts ? t('steps.start') : t('steps.staysStopped')}>
        <div className={classes.announcements}>
          {before === after ? t('steps.sameMap', { after }) : t('steps.newMap', { before, after })}
        </div>
      </Step>
    </ol>
  );
}

interface StepProps {
  icon: LucideIcon;
  text: string;
  tone?: 'bad';
  children?: ReactNode;
}

function Step({ icon: Icon, text, tone, children }: StepProps) {
  return (
    <li className={classes.step} data-tone={tone}>
      <span className={classes.stepIcon}>
        <Icon size={15} aria-hidden="true" />
      </span>
      <div className={classes.stepText}>
        {text}
        {children}
      </div>
    </li>
  );
}

function useLaunchWords(): (launch: Schemas['LaunchParameters']) => string {
  const t = useTexts('wipes');
  return ({ seed, world_size, level_url }) =>
    level_url ??
    t('launch', {
      seed: seed === null ? t('chosenByServer') : String(seed),
      size: world_size === null ? t('chosenByServer') : String(world_size),
    });
}

function FileTable({ files }: { files: readonly Schemas['WipeFile'][] }) {
  const t = useTexts('wipes');
  const formats = useFormats();
  const columns = useMemo<readonly Column<Schemas['WipeFile']>[]>(
    () => [
      {
        key: 'path',
        header: t('columns.file'),
        width: 'minmax(0, 1fr)',
        phone: 'title',
        cell: ({ path }) => <span className="mono">{path}</span>,
      },
      {
        key: 'size',
        header: t('columns.size'),
        width: '110px',
        align: 'end',
        phone: 'aside',
        cell: ({ size }) => formats.bytes(size),
      },
    ],
    [t, formats],
  );
  return (
    <DataTable
      label={t('review.fileList')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: files }]}
      keyOf={({ path }) => path}
      nameOf={({ path }) => path}
    />
  );
}

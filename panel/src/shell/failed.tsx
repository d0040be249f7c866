// Shown in place of a page that failed, that does not exist, or that cannot be loaded now.
import { Button, Code, Group } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass, PlugZap, TriangleAlert } from 'lucide-react';
import { HttpError } from '@gantry/client';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { isUnreachable } from '../api/unreachable.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { Failure, Refusal } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './failed.module.css';
import { reportOf } from '../api/problem.ts';
import { Refused } from './needs.ts';
import { Unreachable } from './unreachable.ts';

export function Failed({ error, reset }: ErrorComponentProps) {
  const t = useTexts('shell');
  const common = useTexts('common');
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  if (error instanceof Unreachable)
    return (
      <main className={classes.alone}>
        <EmptyState
          isPage
          icon={PlugZap}
          title={t('offline.title')}
          action={<Button onClick={retry}>{t('offline.retry')}</Button>}
        >
          {t('offline.detail')}
        </EmptyState>
      </main>
    );
  if (error instanceof Refused)
    return (
      <div className={classes.inFrame}>
        <Refusal isPage />
      </div>
    );
  if (error instanceof Error && (error instanceof HttpError || isUnreachable(error)))
    return (
      <div className={classes.inFrame}>
        <Failure error={error} retry={retry} isPage />
      </div>
    );
  const report = error instanceof Error ? reportOf(error) : String(error);
  return (
    <div className={classes.inFrame}>
      <EmptyState
        isPage
        icon={TriangleAlert}
        title={t('failed.title')}
        action={
          <Group justify="center">
            <Button onClick={() => window.location.reload()}>{t('failed.reload')}</Button>
            <CopyText text={report}>{common('copyDetails')}</CopyText>
          </Group>
        }
      >
        {t('failed.detail')}
      </EmptyState>
      <details className={classes.report}>
        <summary>{t('failed.report')}</summary>
        <Code block>{report}</Code>
      </details>
    </div>
  );
}

export function NotFound() {
  const t = useTexts('shell');
  const common = useTexts('common');
  const router = useRouter();
  return (
    <div className={classes.inFrame}>
      <EmptyState
        isPage
        icon={Compass}
        title={t('notFound.title')}
        action={<Button onClick={() => void router.navigate({ to: '/' })}>{common('actions.goHome')}</Button>}
      >
        {t('notFound.detail')}
      </EmptyState>
    </div>
  );
}

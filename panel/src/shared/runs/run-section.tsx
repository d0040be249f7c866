// The results of a run: how many have finished, and a button for those that are not requested.
import { Alert, Button, CloseButton, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../texts/texts.ts';
import { isRequested, type Run } from './run-store.ts';
import classes from './run-section.module.css';

interface RunSectionProps {
  title: string;
  run: Run;
  finished: number;
  failed: number;
  isRequesting: boolean;
  onContinue: () => void;
  onClose: () => void;
  /** The result for each server. */
  children: ReactNode;
}

export function RunSection({
  title,
  run: { items },
  finished,
  failed,
  isRequesting,
  onContinue,
  onClose,
  children,
}: RunSectionProps) {
  const t = useTexts('common');
  const left = isRequesting ? 0 : items.filter((item) => !isRequested(item)).length;
  return (
    <Section
      title={title}
      aside={!isRequesting && <CloseButton aria-label={t('run.close')} onClick={onClose} />}
    >
      <div className={classes.summary} role="status">
        {t('run.progress', { finished, total: items.length })}
        {failed > 0 && <span className={classes.failed}>{t('run.failed', { count: failed })}</span>}
      </div>
      <Progress
        value={(finished / items.length) * 100}
        {...(failed > 0 && { color: 'red' })}
        size="sm"
        aria-label={title}
      />
      {left > 0 && (
        <Alert color="yellow" role="alert" mt="sm" title={t('run.left', { count: left })}>
          <p className="sentence">{t('run.leftDetail')}</p>
          <Button size="xs" variant="default" onClick={onContinue}>
            {t('run.continue', { count: left })}
          </Button>
        </Alert>
      )}
      {children}
    </Section>
  );
}

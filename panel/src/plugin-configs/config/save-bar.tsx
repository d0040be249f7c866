// Saves or discards the changes; it stays in sight.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './config.module.css';

interface SaveBarProps {
  isPending: boolean;
  /** Another user's version has to be looked at first. */
  isBlocked: boolean;
  onSave: () => void;
  onDiscard: () => void;
  /** Why saving was refused. */
  children: ReactNode;
}

export function SaveBar({ isPending, isBlocked, onSave, onDiscard, children }: SaveBarProps) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  return (
    <div className={classes.saveBar} role="region" aria-label={t('save.label')}>
      {children}
      <div className={classes.saveRow}>
        <span className={classes.saveText}>{isBlocked ? t('save.blocked') : t('save.unsaved')}</span>
        <Button variant="default" onClick={onDiscard}>
          {common('actions.discard')}
        </Button>
        <Button loading={isPending} disabled={isBlocked} onClick={onSave}>
          {common('actions.save')}
        </Button>
      </div>
    </div>
  );
}

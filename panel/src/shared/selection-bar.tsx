// What can be done with the selected entries of a list, at the foot of the window.
import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  label: string;
  count: number;
  onClear: () => void;
  /** The buttons of the actions. */
  children: ReactNode;
}

export function SelectionBar({ label, count, onClear, children }: SelectionBarProps) {
  const t = useTexts('common');
  return (
    <>
      <div className={classes.room} />
      <div className={classes.bar} role="toolbar" data-selection-bar aria-label={label}>
        <span className={classes.count} role="status">
          {t('table.selected', { count })}
        </span>
        <div className={classes.actions}>{children}</div>
        <CloseButton aria-label={t('table.clearSelection')} onClick={onClear} />
      </div>
    </>
  );
}

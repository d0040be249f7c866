// One entry of a list or a map, closed until it is needed.
import { ActionIcon } from '@mantine/core';
import { ChevronRight, Trash2 } from 'lucide-react';
import { useContext, useState, type ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { TargetContext, useEditing, useFindingCount } from '../editing.ts';
import { pointerOf, type Path } from '../../schema/data.ts';
import classes from './generic.module.css';

interface EntryCardProps {
  path: Path;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  isOpenFirst?: boolean;
  onRemove?: () => void;
  children: ReactNode;
}

export function EntryCard({ path, title, aside, isOpenFirst = false, onRemove, children }: EntryCardProps) {
  const t = useTexts('plugin-configs');
  const { isReadOnly } = useEditing();
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  const faults = useFindingCount(path);
  const target = useContext(TargetContext);
  const isTargeted = target !== null && target.pointer.startsWith(`${pointerOf(path)}/`);
  return (
    <div className={classes.entry}>
      <details
        className={classes.card}
        open={isOpen || isTargeted}
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary className={classes.cardHead}>
          <ChevronRight size={15} aria-hidden="true" className={classes.chevron} />
          <span className={classes.cardTitle}>{title}</span>
          {aside !== undefined && <span className={classes.cardAside}>{aside}</span>}
          {faults > 0 && <span className={classes.faults}>{t('field.faultsInside', { count: faults })}</span>}
        </summary>
        {(isOpen || isTargeted) && <div className={classes.cardBody}>{children}</div>}
      </details>
      {onRemove !== undefined && !isReadOnly && (
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.remove ?? ''}
          aria-label={t('field.remove', { name: title })}
          title={t('field.remove', { name: title })}
          onClick={onRemove}
        >
          <Trash2 size={15} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
}

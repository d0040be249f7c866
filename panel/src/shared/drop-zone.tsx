// Takes files and folders that are dragged onto a page.
import { Alert } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import { droppedFiles, type DroppedFile } from './dropped-files.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  isEnabled: boolean;
  /** What dropping does, while files are over the page. */
  label: string;
  onFiles: (files: readonly DroppedFile[]) => void;
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

export function DropZone({ isEnabled, label, onFiles, children }: DropZoneProps) {
  const t = useTexts('common');
  const [isOver, setIsOver] = useState(false);
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const take = async (data: DataTransfer) => {
    const dropped = await droppedFiles(data);
    setUnreadable(dropped.unreadable);
    if (dropped.files.length > 0) onFiles(dropped.files);
  };
  if (!isEnabled) return <div className={classes.zone}>{children}</div>;
  return (
    <div
      className={classes.zone}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer);
      }}
    >
      {unreadable.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={t('unreadable.title')}
          withCloseButton
          closeButtonLabel={t('actions.close')}
          onClose={() => setUnreadable([])}
        >
          {t('unreadable.detail', { names: unreadable.join(', ') })}
        </Alert>
      )}
      {children}
      {isOver && (
        <div className={classes.over}>
          <Upload size={26} aria-hidden="true" />
          {label}
        </div>
      )}
    </div>
  );
}

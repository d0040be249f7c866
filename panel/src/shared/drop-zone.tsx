// Takes files and folders that are dragged onto a page, anywhere in the window.
import { Alert } from '@mantine/core';
import { Upload } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { droppedFiles, hasFiles, type DroppedFile } from './dropped-files.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  isEnabled: boolean;
  /** What dropping does, while files are over the page. */
  label: string;
  onFiles: (files: readonly DroppedFile[]) => void;
  children: ReactNode;
}

/** Dialogs take files of their own. */
const isForPage = (event: DragEvent): boolean =>
  hasFiles(event) && !(event.target instanceof Element && event.target.closest('dialog'));

export function DropZone({ isEnabled, label, onFiles, children }: DropZoneProps) {
  const t = useTexts('common');
  const [isOver, setIsOver] = useState(false);
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const take = async (data: DataTransfer) => {
    const dropped = await droppedFiles(data);
    setUnreadable(dropped.unreadable);
    if (dropped.files.length > 0) onFiles(dropped.files);
  };
  const drag = useEffectEvent((event: DragEvent) => {
    if (!isForPage(event)) return;
    event.preventDefault();
    setIsOver(event.type === 'dragover');
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    if (event.type === 'drop' && event.dataTransfer !== null) void take(event.dataTransfer);
  });
  const leave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    // Null outside of the window.
    if (relatedTarget === null) setIsOver(false);
  });
  useEffect(() => {
    if (!isEnabled) return;
    const until = new AbortController();
    const { signal } = until;
    window.addEventListener('dragover', (event) => drag(event), { signal });
    window.addEventListener('drop', (event) => drag(event), { signal });
    window.addEventListener('dragleave', (event) => leave(event), { signal });
    return () => until.abort();
  }, [isEnabled]);
  return (
    <div className={classes.zone}>
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

// Takes files that are dropped anywhere on the list, and leads to their import.
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './create.module.css';
import { readDropped } from './dropped-files.ts';
import { handOverFiles } from './handed-over.ts';
import { recognized } from './plugin-files.ts';

export function FileDrop() {
  const t = useTexts('plugin-configs');
  const navigate = useNavigate();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      void readDropped(event.dataTransfer).then((files) => {
        handOverFiles(files);
        const kind = recognized(files).files[0]?.kind ?? '';
        return navigate({ to: '/plugin-configs/new', search: { kind, from: 'files' } });
      });
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [navigate]);
  if (!isOver) return null;
  return (
    <div className={classes.overlay}>
      <FileUp size={28} aria-hidden="true" />
      {t('files.dropHere')}
    </div>
  );
}

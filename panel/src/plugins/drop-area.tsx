// Takes a file that is dropped anywhere on it.
import { useState, type ReactNode } from 'react';
import classes from './plugins.module.css';

interface DropAreaProps {
  /** Shown while a file is held over it. */
  words: string;
  isEnabled: boolean;
  onFile: (file: File) => void;
  children: ReactNode;
}

export function DropArea({ words, isEnabled, onFile, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false);
  if (!isEnabled) return <div className={classes.page}>{children}</div>;
  return (
    <div
      className={classes.page}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) onFile(file);
      }}
    >
      {children}
      {isOver && (
        <div className={classes.over} aria-hidden="true">
          {words}
        </div>
      )}
    </div>
  );
}

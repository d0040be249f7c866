// Takes files and folders that are dragged onto a page.
import { Upload } from 'lucide-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import { droppedFiles, type DroppedFile } from './dropped-files.ts';
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
  const [isOver, setIsOver] = useState(false);
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
        void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
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

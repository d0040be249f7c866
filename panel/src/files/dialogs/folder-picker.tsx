// Walks through the folders of a server.
import { CornerLeftUp, Folder } from 'lucide-react';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../files.module.css';
import { useFolder } from '../folder.ts';
import { folderOf } from '../paths.ts';

interface FolderPickerProps {
  at: string;
  onPick: (path: string) => void;
  isHidden: (path: string) => boolean;
}

export function FolderPicker({ at, onPick, isHidden }: FolderPickerProps) {
  const t = useTexts('files');
  const asked = useFolder(at);
  return (
    <Loaded asked={{ ...asked, data: asked.items }} waitingFor={t('move.folders')}>
      {(files) => {
        const folders = files.filter(({ kind, path }) => kind === 'directory' && !isHidden(path));
        return (
          <ul className={classes.picker} aria-label={t('move.folders')}>
            {at !== '' && (
              <li>
                <button type="button" className={classes.pick} onClick={() => onPick(folderOf(at))}>
                  <CornerLeftUp size={16} aria-hidden="true" />
                  {t('move.up')}
                </button>
              </li>
            )}
            {folders.map(({ path, name }) => (
              <li key={path}>
                <button type="button" className={classes.pick} onClick={() => onPick(path)}>
                  <Folder size={16} aria-hidden="true" />
                  {name}
                </button>
              </li>
            ))}
            {folders.length === 0 && <li className={classes.noFolders}>{t('move.noFolders')}</li>}
          </ul>
        );
      }}
    </Loaded>
  );
}

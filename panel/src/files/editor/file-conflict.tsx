// Someone else has saved the file that is being edited: both texts, and which one to continue with.
import { Alert, Button } from '@mantine/core';
import { GitCompareArrows } from 'lucide-react';
import type { Draft } from '../../shared/draft.ts';
import { useTexts } from '../../texts/texts.ts';
import fileClasses from '../files.module.css';
import { Difference } from './difference.tsx';
import classes from './editor.module.css';
import type { EditorSettings } from './extensions.ts';

interface FileConflictProps {
  draft: Draft<{ content: string }>;
  theirs: string;
  settings: EditorSettings;
}

export function FileConflict({ draft, theirs, settings }: FileConflictProps) {
  const t = useTexts('files');
  return (
    <>
      <Alert
        color="yellow"
        role="alert"
        icon={<GitCompareArrows size={18} />}
        title={t('editor.conflict.title')}
      >
        <p className="sentence">{t('editor.conflict.detail')}</p>
        <div className={fileClasses.buttons}>
          <Button size="xs" variant="default" onClick={draft.takeTheirs}>
            {t('editor.conflict.takeTheirs')}
          </Button>
          <Button size="xs" variant="default" onClick={draft.keepMine}>
            {t('editor.conflict.keepMine')}
          </Button>
        </div>
      </Alert>
      <div className={classes.frame}>
        <div className={classes.sides}>
          <span>{t('editor.conflict.theirs')}</span>
          <span>{t('editor.conflict.mine')}</span>
        </div>
        <Difference
          theirs={theirs}
          mine={draft.values.content}
          settings={settings}
          theirLabel={t('editor.conflict.theirs')}
          onChange={(content) => draft.set({ content })}
        />
      </div>
    </>
  );
}

// The editor of one text file: saved on the version that was read, with what others saved in between beside it.
import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Download, Save } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { hasCode } from '../../api/problem.ts';
import { useWrite } from '../../api/writing.ts';
import { useDraft } from '../../shared/draft.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { Time } from '../../shared/time.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { download } from '../download.ts';
import fileClasses from '../files.module.css';
import { listPath, usePlace } from '../folder.ts';
import { nameIn } from '../paths.ts';
import { CodeEditor } from './code-editor.tsx';
import classes from './editor.module.css';
import { useEditorPhrases } from './editor-phrases.ts';
import { Foot, SavedState } from './editor-state.tsx';
import { languageOf, lineSeparatorOf, type EditorSettings } from './extensions.ts';
import { FileConflict } from './file-conflict.tsx';
import type { StoredDraft } from './stored-drafts.ts';
import { keptDraft, useStoredDraft } from './use-stored-draft.ts';

interface FileEditorProps {
  file: Schemas['FileContent'];
  version: string;
  /** Unsaved changes of an earlier visit. */
  kept: StoredDraft | null;
}

const contentPath = '/api/instances/{instance_id}/files/content';

export function FileEditor({ file, version, kept }: FileEditorProps) {
  const t = useTexts('files');
  const place = usePlace();
  const { instanceId } = place;
  const { path } = file;
  const mayWrite = useMay('PUT /api/instances/{instance_id}/files/content');
  const [restored, setRestored] = useState(() =>
    mayWrite && kept !== null && kept.content !== file.content ? kept : null,
  );
  const draft = useDraft({ content: file.content }, version, restored === null ? null : keptDraft(restored));
  const { values, isDirty, theirs } = draft;
  const isKept = useStoredDraft(
    { instanceId, path },
    draft.base.values.content,
    draft.version,
    values.content,
    isDirty,
  );
  const phrases = useEditorPhrases();
  const settings = useMemo(
    (): EditorSettings => ({
      label: t('editor.label', { name: nameIn(path) }),
      language: languageOf(path),
      isReadOnly: !mayWrite,
      phrases,
      lineSeparator: lineSeparatorOf(file.content),
    }),
    // The separator of the text when the editor was opened.
    [t, path, mayWrite, phrases],
  );
  const queries = useQueryClient();
  const save = useWrite('PUT /api/instances/{instance_id}/files/content', {
    refreshes: [listPath],
    onDone: ({ sha256, size, modified_at }, { body: { content } }) => {
      const next = `"${sha256}"`;
      queries.setQueriesData<{ document: Schemas['FileContent']; version: string }>(
        { queryKey: [contentPath, { path: { instance_id: instanceId }, query: { path } }] },
        () => ({ document: { path, content, size, sha256, modified_at }, version: next }),
      );
      draft.settle({ content }, next);
      setRestored(null);
    },
  });
  const isStale = hasCode(save.error, 'stale_version');
  useEffect(() => {
    // Shows what the other one has saved.
    if (isStale) void queries.invalidateQueries({ queryKey: [contentPath] });
  }, [isStale, queries]);
  const sendSave = () => {
    if (!isDirty || theirs !== null || save.isPending || !mayWrite) return;
    save.mutate({
      params: {
        path: { instance_id: instanceId },
        query: { path },
        header: { 'If-Match': draft.version },
      },
      body: { content: values.content },
    });
  };
  return (
    <div
      className="stack"
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
        // The editor itself has saved already.
        if (!event.defaultPrevented) sendSave();
        event.preventDefault();
      }}
    >
      <UnsavedGuard isUnsaved={isDirty && !isKept} />
      <div className={fileClasses.toolbar}>
        <Breadcrumbs path={path} />
        <div className={fileClasses.buttons}>
          <span role="status" className={classes.state}>
            <SavedState isDirty={isDirty} mayWrite={mayWrite} />
          </span>
          <Button
            variant="default"
            leftSection={<Download size={15} aria-hidden="true" />}
            onClick={() => void download(place, { path, name: nameIn(path), size: file.size })}
          >
            {t('actions.download')}
          </Button>
          {isDirty && (
            <Button
              variant="default"
              onClick={() => {
                draft.reset();
                setRestored(null);
              }}
            >
              {t('editor.discard')}
            </Button>
          )}
          {mayWrite && (
            <Button
              leftSection={<Save size={15} aria-hidden="true" />}
              disabled={!isDirty || theirs !== null}
              loading={save.isPending}
              title={t('editor.saveKeys')}
              onClick={sendSave}
            >
              {t('editor.save')}
            </Button>
          )}
        </div>
      </div>
      {restored !== null && (
        <Alert color="blue" role="status">
          {t('editor.restored')} <Time at={new Date(restored.at).toISOString()} />
        </Alert>
      )}
      <ProblemAlert error={isStale ? null : save.error} />
      {theirs === null ? (
        <div className={classes.frame}>
          <CodeEditor
            value={values.content}
            settings={settings}
            onChange={(content) => draft.set({ content })}
            onSave={sendSave}
          />
          <Foot file={file} content={values.content} />
        </div>
      ) : (
        <FileConflict draft={draft} theirs={theirs.content} settings={settings} />
      )}
    </div>
  );
}

// A folder of a server: what is in it, and what can be done with it.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Button, Menu } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronDown, FilePlus, FolderOpen, FolderPlus, SearchX, Upload } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useMay } from '../api/may.ts';
import { DropZone } from '../shared/drop-zone.tsx';
import { chosenFiles, type DroppedFile } from '../shared/dropped-files.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { FileDialogs } from './dialogs/file-dialogs.tsx';
import type { Asking } from './dialogs/asking.ts';
import { FileTable } from './file-table.tsx';
import classes from './files.module.css';
import { useFolder, usePlace, type InstanceFile } from './folder.ts';
import { uploadInto } from './upload.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/files');

export function FolderPage() {
  const t = useTexts('files');
  const { path } = route.useSearch();
  const place = usePlace();
  const asked = useFolder(path);
  const mayChange = useMay('PUT /api/instances/{instance_id}/files/upload');
  const [asking, setAsking] = useState<Asking | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const isFolder = asked.items !== undefined;
  const upload = useCallback(
    (files: readonly DroppedFile[]) => {
      setFailure(null);
      void uploadInto(place, path, files).catch((error: unknown) => setFailure(error as Error));
    },
    [place, path],
  );
  const uploadButton = (
    <FileButton
      multiple
      leftSection={<Upload size={16} aria-hidden="true" />}
      onChoose={(files) => upload(chosenFiles(files))}
    >
      {t('upload')}
    </FileButton>
  );
  return (
    <DropZone isEnabled={mayChange && isFolder} label={t('drop')} onFiles={upload}>
      <div className={classes.toolbar}>
        <Breadcrumbs path={path} />
        {mayChange && isFolder && (
          <div className={classes.buttons}>
            <NewMenu onAsk={setAsking} />
            {asked.items?.length !== 0 && uploadButton}
          </div>
        )}
      </div>
      <ProblemAlert error={failure} />
      <Loaded asked={{ ...asked, data: asked.items }} waitingFor={t('title')} skeleton={<TableSkeleton />}>
        {(files) =>
          files.length === 0 ? (
            <EmptyState
              icon={FolderOpen}
              title={t('empty.title')}
              {...(mayChange && { action: uploadButton })}
            >
              {mayChange ? t('empty.detail') : t('empty.readOnly')}
            </EmptyState>
          ) : (
            <Listed key={path} files={files} onAsk={setAsking} />
          )
        }
      </Loaded>
      <FileDialogs asking={asking} folder={path} onClose={() => setAsking(null)} />
    </DropZone>
  );
}

function NewMenu({ onAsk }: { onAsk: (asking: Asking) => void }) {
  const t = useTexts('files');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown size={15} aria-hidden="true" />}>
          {t('new.label')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<FolderPlus size={16} />} onClick={() => onAsk({ kind: 'newFolder' })}>
          {t('new.folder')}
        </Menu.Item>
        <Menu.Item leftSection={<FilePlus size={16} />} onClick={() => onAsk({ kind: 'newFile' })}>
          {t('new.file')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ListedProps {
  files: readonly InstanceFile[];
  onAsk: (asking: Asking) => void;
}

function Listed({ files, onAsk }: ListedProps) {
  const t = useTexts('files');
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const setSearch = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, search: next }), replace: true }),
    [navigate],
  );
  const wanted = search.trim().toLowerCase();
  const shown = files.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <FilterBar
        search={search}
        onSearch={setSearch}
        placeholder={t('search')}
        count={t('count', { count: shown.length })}
      />
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noMatch.title')}>
          {t('noMatch.detail', { search })}
        </EmptyState>
      ) : (
        <FileTable files={shown} onAsk={onAsk} />
      )}
    </>
  );
}

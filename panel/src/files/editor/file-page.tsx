// One file of a server in the editor, or why it cannot be edited.
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download, FileLock2, FileX2, Folder, FolderOpen } from 'lucide-react';
import { useMay } from '../../api/may.ts';
import { hasCode, problemOf } from '../../api/problem.ts';
import { useDocument } from '../../api/reading.ts';
import { EmptyState } from '../../shared/empty-state.tsx';
import { Failure, Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { download } from '../download.ts';
import classes from '../files.module.css';
import { usePlace } from '../folder.ts';
import { folderOf, nameIn } from '../paths.ts';
import { FileEditor } from './file-editor.tsx';
import { takeDraft } from './stored-drafts.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/files/edit');

/** The game server and other people write files without an event. */
const everyMs = 15_000;

export function FilePage() {
  const { path } = route.useSearch();
  // Another file is another page, with drafts of its own.
  return <OpenedFile key={path} path={path} />;
}

function OpenedFile({ path }: { path: string }) {
  const { instanceId } = usePlace();
  const asked = useDocument(
    '/api/instances/{instance_id}/files/content',
    { params: { path: { instance_id: instanceId }, query: { path } } },
    { every: everyMs },
  );
  const { data: kept } = useQuery({
    queryKey: ['file draft', instanceId, path],
    queryFn: () => takeDraft({ instanceId, path }),
    // Read once for each opening; from then on the editor has it.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (asked.data === undefined && asked.error !== null && !asked.isFetching)
    return (
      <>
        <div className={classes.toolbar}>
          <Breadcrumbs path={path} />
        </div>
        <Refused path={path} error={asked.error} retry={() => void asked.refetch()} />
      </>
    );
  const opened = asked.data === undefined || kept === undefined ? undefined : { ...asked.data, kept };
  return (
    <Loaded asked={{ ...asked, data: opened }} waitingFor={nameIn(path)} skeleton={<Skeleton height={420} />}>
      {({ document, version, kept: draft }) => <FileEditor file={document} version={version} kept={draft} />}
    </Loaded>
  );
}

interface RefusedProps {
  path: string;
  error: Error;
  retry: () => void;
}

/** A refusal that has another way to the file offers it. */
function Refused({ path, error, retry }: RefusedProps) {
  const t = useTexts('files');
  const place = usePlace();
  const mayDownload = useMay('GET /api/instances/{instance_id}/files/download');
  const folder = (
    <Button
      variant="default"
      leftSection={<Folder size={16} aria-hidden="true" />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/servers/$instanceId/files"
          params={{ instanceId: place.instanceId }}
          search={{ path: folderOf(path) }}
        />
      )}
    >
      {t('editor.toFolder')}
    </Button>
  );
  if (hasCode(error, 'file_too_large', 'not_text'))
    return (
      <EmptyState
        icon={FileLock2}
        title={hasCode(error, 'not_text') ? t('editor.binary') : t('editor.tooLarge')}
        action={
          mayDownload ? (
            <Button
              leftSection={<Download size={16} aria-hidden="true" />}
              onClick={() => void download(place, { path, name: nameIn(path), size: null })}
            >
              {t('actions.download')}
            </Button>
          ) : (
            folder
          )
        }
      >
        {hasCode(error, 'not_text') ? t('editor.binaryDetail') : t('editor.tooLargeDetail')}
      </EmptyState>
    );
  if (hasCode(error, 'wrong_file_type'))
    return (
      <EmptyState icon={FolderOpen} title={t('editor.notAFile')} action={folder}>
        {problemOf(error)?.detail}
      </EmptyState>
    );
  if (hasCode(error, 'not_found'))
    return (
      <EmptyState icon={FileX2} title={t('editor.gone')} action={folder}>
        {t('editor.goneDetail', { path })}
      </EmptyState>
    );
  return <Failure error={error} retry={retry} />;
}

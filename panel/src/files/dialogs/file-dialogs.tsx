// The dialogs about files, one at a time.
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ArchiveForm } from './archive-form.tsx';
import type { Asking } from './asking.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { ExtractForm } from './extract-form.tsx';
import { MoveForm } from './move-form.tsx';
import { NewFileForm, NewFolderForm, RenameForm } from './name-forms.tsx';
import { Properties } from './properties.tsx';

interface FileDialogsProps {
  asking: Asking | null;
  /** The folder that is shown. */
  folder: string;
  onClose: () => void;
}

export function FileDialogs({ asking, folder, onClose }: FileDialogsProps) {
  const t = useTexts('files');
  if (asking?.kind === 'delete') return <DeleteDialog files={asking.files} onClose={onClose} />;
  const title =
    asking === null
      ? ''
      : 'file' in asking
        ? t(`dialogs.${asking.kind}`, { name: asking.file.name })
        : 'files' in asking
          ? t(`dialogs.${asking.kind}`, { count: asking.files.length })
          : t(`dialogs.${asking.kind}`);
  return (
    <Dialog isOpen={asking !== null} title={title} onClose={onClose}>
      {asking !== null && <Asked asking={asking} folder={folder} onClose={onClose} />}
    </Dialog>
  );
}

interface AskedProps extends FileDialogsProps {
  asking: Exclude<Asking, { kind: 'delete' }>;
}

function Asked({ asking, folder, onClose }: AskedProps) {
  switch (asking.kind) {
    case 'newFolder':
      return <NewFolderForm folder={folder} onClose={onClose} />;
    case 'newFile':
      return <NewFileForm folder={folder} onClose={onClose} />;
    case 'rename':
      return <RenameForm file={asking.file} onClose={onClose} />;
    case 'move':
      return <MoveForm files={asking.files} folder={folder} onClose={onClose} />;
    case 'archive':
      return <ArchiveForm files={asking.files} folder={folder} onClose={onClose} />;
    case 'extract':
      return <ExtractForm file={asking.file} onClose={onClose} />;
    case 'properties':
      return <Properties file={asking.file} />;
  }
}

// Asks before a page with unsaved changes is left or its tab is closed.
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useTexts } from '../texts/texts.ts';
import { staysOnPage } from './leave-page.ts';

interface UnsavedGuardProps {
  isUnsaved: boolean;
  /** What is lost, where that is something else than changes. */
  words?: { title: string; detail: string; leave: string };
}

/** A page that navigates after it has saved passes `ignoreBlocker`, because its state is not updated yet. */
export function UnsavedGuard({ isUnsaved, words }: UnsavedGuardProps) {
  const t = useTexts('common');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title={words?.title ?? t('unsaved.title')}
      action={words?.leave ?? t('unsaved.leave')}
      isDangerous
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => {
        // It also closes once the page is left.
        if (status !== 'blocked') return;
        reset();
        staysOnPage();
      }}
    >
      {words?.detail ?? t('unsaved.detail')}
    </ConfirmDialog>
  );
}

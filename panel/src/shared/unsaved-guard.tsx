// Asks before a page with unsaved changes is left or its tab is closed.
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useTexts } from '../texts/texts.ts';

/** A page that navigates after it has saved passes `ignoreBlocker`, because its state is not updated yet. */
export function UnsavedGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const t = useTexts('common');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      title={t('unsaved.title')}
      action={t('unsaved.leave')}
      isDangerous
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('unsaved.detail')}
    </ConfirmDialog>
  );
}

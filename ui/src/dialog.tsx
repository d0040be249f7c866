// The browser's own dialog: it holds the focus, closes on Escape and returns the focus.
import { CloseButton, MantineThemeProvider, Title } from '@mantine/core';
import { useEffect, useId, useState, type ReactNode } from 'react';
import classes from './dialog.module.css';
import { useWords } from './words.tsx';

interface DialogProps {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  /** Wide dialogs are for lists and forms with several columns. */
  size?: 'normal' | 'wide';
  /** A dialog that must be completed does not close on Escape. */
  isMandatory?: boolean;
  /** A field with `data-autofocus` gets the focus, otherwise the first one. */
  children: ReactNode;
}

export function Dialog({
  isOpen,
  title,
  onClose,
  size = 'normal',
  isMandatory = false,
  children,
}: DialogProps) {
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  const titleId = useId();
  const words = useWords();
  useEffect(() => {
    if (!isOpen) element?.close();
    else if (element?.open === false) {
      element.showModal();
      element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    }
  }, [element, isOpen]);
  return (
    <dialog
      ref={setElement}
      className={classes.dialog}
      data-size={size}
      data-dialog={titleId}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Only the dialog's own event: file fields inside have one of the same name.
        if (event.target === event.currentTarget && isMandatory) event.preventDefault();
      }}
      onClose={(event) => {
        if (event.target !== event.currentTarget) return;
        // Browsers let a page refuse the first Escape only.
        if (isMandatory && isOpen) event.currentTarget.showModal();
        else onClose();
      }}
    >
      {isOpen && (
        <MantineThemeProvider
          theme={{
            // Lists of options must be inside: everything else is behind the dialog. It is a selector, because
            // themes are merged deeply, which never ends for the elements of dialogs inside each other.
            components: { Portal: { defaultProps: { target: `[data-dialog="${titleId}"]` } } },
          }}
        >
          <Title order={2} size="h4" id={titleId} className={classes.title ?? ''}>
            {title}
          </Title>
          {children}
          {/* The last one, so that a dialog opens with its first field focused. */}
          {!isMandatory && (
            <CloseButton
              className={classes.close ?? ''}
              aria-label={words.closeDialog}
              onClick={() => element?.close()}
            />
          )}
        </MantineThemeProvider>
      )}
    </dialog>
  );
}

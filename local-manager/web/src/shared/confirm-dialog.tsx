// Asks for confirmation before an action that affects others.
import { Button, Group, Title } from '@mantine/core';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import classes from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** The label of the confirming button. */
  action: string;
  isDangerous?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's own dialog: it holds the focus, closes on Escape and returns the focus. */
export function ConfirmDialog({
  isOpen,
  title,
  action,
  isDangerous,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={titleId} onClose={onClose}>
      {isOpen && (
        <>
          <Title order={2} size="h4" id={titleId}>
            {title}
          </Title>
          <div className={classes.body}>{children}</div>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              {...(isDangerous === true && { color: 'red' })}
              onClick={() => {
                onClose();
                onConfirm();
              }}
            >
              {action}
            </Button>
          </Group>
        </>
      )}
    </dialog>
  );
}

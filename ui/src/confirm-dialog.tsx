// Asks for confirmation before an action that affects others.
import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import classes from './dialog.module.css';
import { useWords } from './words.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** The label of the confirming button. */
  action: string;
  isDangerous?: boolean;
  /** What has to be typed first; for what cannot be undone. */
  typed?: string;
  /** Given: the dialog stays open until its owner closes it, and shows that the action is under way. */
  isPending?: boolean;
  /** The refusal of the action, inside the dialog. */
  problem?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, action, isDangerous, typed, isPending, problem, onConfirm, onClose, children } =
    props;
  const words = useWords();
  const [text, setText] = useState('');
  useEffect(() => setText(''), [isOpen]);
  const isTyped = typed === undefined || text === typed;
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTyped || isPending === true) return;
          if (isPending === undefined) onClose();
          onConfirm();
        }}
      >
        <div className={classes.body}>{children}</div>
        {typed !== undefined && (
          <TextInput
            className={classes.typed ?? ''}
            label={words.typeToConfirm(typed)}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {problem !== undefined && problem !== null && <div className={classes.problem}>{problem}</div>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            disabled={!isTyped}
            loading={isPending === true}
            {...(isDangerous === true && { color: 'red' })}
          >
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

// Copies a text, and confirms it.
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { useWords } from './words.tsx';

const confirmationMs = 2_000;

interface CopyTextProps {
  text: string;
  /** The visible text; `label` is the accessible name. */
  children: string;
  label?: string;
}

export function CopyText({ text, children, label }: CopyTextProps) {
  const { copied: copiedWord } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      onClick={() => void copy(text, button.current).then(setIsCopied)}
      leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={14} />}
      aria-live="polite"
      {...(label !== undefined && { 'aria-label': isCopied ? copiedWord : label })}
    >
      {isCopied ? copiedWord : children}
    </Button>
  );
}

/** Resolves to whether it was copied. Pages over plain HTTP, except from this machine, have no clipboard to write to. */
async function copy(text: string, beside: HTMLElement | null): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard === undefined) return copySelection(text, beside);
  return clipboard.writeText(text).then(
    () => true,
    () => copySelection(text, beside),
  );
}

/** The text is selected beside the button: nothing outside an open dialog can be selected. */
function copySelection(text: string, beside: HTMLElement | null): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  Object.assign(field.style, { position: 'fixed', opacity: '0' });
  (beside?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  beside?.focus();
  return isCopied;
}

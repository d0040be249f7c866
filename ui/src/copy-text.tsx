// Copies a text, and confirms it.
import { Button, CopyButton } from '@mantine/core';
import { Icon } from './icons.tsx';
import { useWords } from './words.tsx';

interface CopyTextProps {
  text: string;
  /** The visible text; `label` is the accessible name. */
  children: string;
  label?: string;
}

export function CopyText({ text, children, label }: CopyTextProps) {
  const { copied: copiedWord } = useWords();
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          aria-live="polite"
          {...(label !== undefined && { 'aria-label': copied ? copiedWord : label })}
        >
          {copied ? copiedWord : children}
        </Button>
      )}
    </CopyButton>
  );
}

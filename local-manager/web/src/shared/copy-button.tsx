// Copies a text, and says that it has.
import { Button, CopyButton } from '@mantine/core';
import { Icon } from './icons.tsx';

interface CopyTextProps {
  text: string;
  /** What the button says; `label` says more to those who hear it. */
  children: string;
  label?: string;
}

export function CopyText({ text, children, label }: CopyTextProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          aria-live="polite"
          {...(label !== undefined && { 'aria-label': copied ? 'Copied' : label })}
        >
          {copied ? 'Copied' : children}
        </Button>
      )}
    </CopyButton>
  );
}

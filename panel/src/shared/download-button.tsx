// Fetches a file of the platform and saves it; its failure is shown below the button.
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { ProblemAlert } from './problem-alert.tsx';
import { saveFile } from './save-text.ts';
import classes from './download-button.module.css';

interface DownloadButtonProps {
  /** The name of the file on the user's machine. */
  file: string;
  fetch: () => Promise<Blob>;
  variant?: ButtonProps['variant'];
  children: string;
}

export function DownloadButton({ file, fetch, variant = 'default', children }: DownloadButtonProps) {
  const download = useMutation({ mutationFn: fetch, onSuccess: (content) => saveFile(file, content) });
  return (
    <div className={classes.download}>
      <Button
        variant={variant}
        loading={download.isPending}
        leftSection={<Download size={16} aria-hidden="true" />}
        onClick={() => download.mutate()}
      >
        {children}
      </Button>
      <ProblemAlert error={download.error} />
    </div>
  );
}

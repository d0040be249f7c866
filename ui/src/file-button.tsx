// A button that lets the user choose files.
import { Button, FileButton as Chooser, type ButtonProps } from '@mantine/core';
import { useRef, type ReactNode } from 'react';

interface FileButtonProps extends ButtonProps {
  /** What the browser offers first. */
  accept?: string;
  multiple?: boolean;
  /** Called with at least one file. */
  onChoose: (files: File[]) => void;
  children: ReactNode;
}

export function FileButton({ accept, multiple = false, onChoose, ...button }: FileButtonProps) {
  const reset = useRef<() => void>(null);
  const take = (files: File[]) => {
    // The browser reports no choice of the file that it still holds, although the file may have changed since.
    reset.current?.();
    if (files.length > 0) onChoose(files);
  };
  return (
    <Chooser
      {...(accept !== undefined && { accept })}
      multiple={multiple}
      resetRef={reset}
      onChange={(chosen: File[] | File | null) => take(chosen === null ? [] : [chosen].flat())}
    >
      {({ onClick }) => <Button {...button} onClick={onClick} />}
    </Chooser>
  );
}

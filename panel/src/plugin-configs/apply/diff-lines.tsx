// A unified diff with its added and removed lines; the signs stay, so that colours are not the only difference.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';

/** Whole new files can have thousands of lines. */
const maxLines = 400;

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place' };

export function DiffLines({ diff, label }: { diff: string; label: string }) {
  const t = useTexts('plugin-configs');
  const [isWhole, setIsWhole] = useState(false);
  // The names of the file stand above.
  const lines = diff
    .split('\n')
    .filter((line, index, all) => !/^(?:---|\+\+\+) /.test(line) && (line !== '' || index < all.length - 1));
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <>
      <div className={classes.diff} role="group" aria-label={label} tabIndex={0}>
        {shown.map((line, index) => (
          <div key={index} className={classes.line} data-kind={kinds[line.charAt(0)]}>
            {line === '' ? ' ' : line}
          </div>
        ))}
      </div>
      {lines.length > shown.length && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => setIsWhole(true)}>
          {t('compare.allLines', { count: lines.length })}
        </Button>
      )}
    </>
  );
}

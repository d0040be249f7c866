// A table that scrolls sideways on narrow screens, by keyboard too.
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from './words.tsx';

export function ScrollingTable({ label, children }: { label: string; children: ReactNode }) {
  const words = useWords();
  return (
    <div className="scrollable" role="group" aria-label={words.sideways(label)} tabIndex={0}>
      <Table aria-label={label}>{children}</Table>
    </div>
  );
}
